"""FFSB's profiles: both syntaxes are read unchanged, and impossible settings are refused with their lines."""

import ctypes
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.engine.conftest import Build, Fsload
from tests.engine.mix.ffsb import ARTICLE, EVERYTHING, KINDS, profile, write
from tests.plugins.missing import SHARED, require

pytestmark = [pytest.mark.needs("cc", package="gcc"), pytest.mark.needs("make", package="make")]

PUBLIC = SHARED / "corpus" / "public" / "ffsb"
SEEDS = SHARED / "seeds"
Read = Callable[[Path], dict[str, Any] | None]


@pytest.fixture
def read(build: Build, capfd: pytest.CaptureFixture[str]) -> Read:
    """Read a profile with the engine's own reader; None if the reader refuses it."""
    library = ctypes.CDLL(str(build("libfsload.so")))
    memory = ctypes.create_string_buffer(1 << 20)
    library.ffsb_profile_read.restype = ctypes.c_bool
    libc = ctypes.CDLL(None)

    def call(path: Path) -> dict[str, Any] | None:
        capfd.readouterr()
        if not library.ffsb_profile_read(str(path).encode(), memory):
            return None
        library.ffsb_profile_print(memory)
        libc.fflush(None)
        mix: dict[str, Any] = json.loads("{" + capfd.readouterr().out + "}")["mix"]
        return mix

    return call


def test_the_articles_profile(read: Read, tmp_path: Path) -> None:
    assert read(write(tmp_path, ARTICLE)) == {
        "time": 300,
        "directio": False,
        "alignio": False,
        "filesystems": [
            {
                "directory": "fs0",
                "location": "/mnt/test/",
                "num_files": 0,
                "num_dirs": 0,
                "min_filesize": 1 << 30,
                "max_filesize": 1 << 30,
            }
        ],
        "groups": [{"threads": 4, "weights": {"create": 1}, "write_blocksize": 65536}],
    }


def test_everything_that_may_be_said(read: Read, tmp_path: Path) -> None:
    mix = read(write(tmp_path, EVERYTHING))
    assert mix
    assert (mix["time"], mix["directio"], mix["alignio"]) == (7, False, True)
    one, two = mix["filesystems"]
    assert one == {
        "directory": "fs0",
        "location": "/mnt/one",
        "num_files": 40,
        "num_dirs": 3,
        "size_weights": [[4096, 3], [8192, 2], [1 << 20, 0]],
        "init_size": 256 << 10,
    }
    assert two == one | {"directory": "fs1", "location": "/mnt/two"}
    first, second = mix["groups"]
    assert set(first["weights"]) == set(KINDS)
    assert (first["read_size"], first["read_random"], first["write_blocksize"]) == (4096, True, 2048)
    assert second["bound_to"] == "fs1"


def test_aging_is_read_where_it_is_on(read: Read, tmp_path: Path) -> None:
    mix = read(write(tmp_path, EVERYTHING.replace("agefs = 0", "agefs = 1")))
    assert mix
    assert mix["filesystems"][0]["desired_util"] == 0.02
    assert mix["filesystems"][1]["aging"]["weights"] == {"create": 10, "append": 10, "delete": 1}


def test_old_forms(read: Read, tmp_path: Path) -> None:
    """5.1 binds by number and numbers every [end] 0; an aging group is a nested group."""
    text = profile("stat_weight=1 bindfs=0").replace("[end]", "[end0]").replace("[threadgroup]", "[threadgroup0]")
    mix = read(write(tmp_path, text.replace("\n", "\r\n")))
    assert mix
    assert mix["groups"][0]["bound_to"] == "fs0"


PRINTED = ARTICLE.replace("    ", "\u00a0\u00a0\u00a0 ")
AS_PRINTED = {
    "no-break spaces": PRINTED,
    "no-break spaces around =": PRINTED.replace("=", "\u00a0=\u202f").replace("[", "\u00a0[").replace("]", "]\u00a0"),
    "tabs": ARTICLE.replace("        ", "\t").replace("=", "\t=\t"),
    "lines of Windows with a byte order mark": "\ufeff" + PRINTED.replace("\n", "\r\n"),
    "comments": ARTICLE.replace("\n", "\u00a0# comment = [end0]\n") + "#\u00a0the end",
    "other blanks": ARTICLE.replace("        ", "\u3000\u2007").replace("[", "[\u200b"),
}


@pytest.mark.parametrize("text", AS_PRINTED.values(), ids=AS_PRINTED)
def test_a_profile_runs_as_it_is_printed(read: Read, tmp_path: Path, text: str) -> None:
    assert read(write(tmp_path, text)) == read(write(tmp_path, ARTICLE))


def test_the_profile_of_the_article(read: Read, tmp_path: Path) -> None:
    """The text as published, with its no-break spaces."""
    require("../shared/seeds/*.txt")
    [text] = [found for path in SEEDS.glob("*.txt") if "num_filesystems" in (found := path.read_text())]
    printed = text[text.index("num_filesystems") : text.index("24 1-GB files")]
    assert "\u00a0" in printed
    assert read(write(tmp_path, printed)) == read(write(tmp_path, ARTICLE))


@pytest.mark.parametrize("path", sorted(PUBLIC.glob("*")) or [None], ids=lambda path: path and path.name)
def test_profiles_of_others(read: Read, path: Path | None, capfd: pytest.CaptureFixture[str]) -> None:
    if path is None:
        require("../shared/corpus/public/ffsb/*")
        return
    if ".md" in path.name:
        assert read(path) is None  # a web page about FFSB, and its output
        return
    mix = read(path)
    assert mix, capfd.readouterr().err
    assert mix["groups"][0]["threads"] >= 1
    assert sum(mix["groups"][0]["weights"].values()) > 0


AGING = "agefs=1\ndesired_util=0.5\n[threadgroup]\nnum_threads=1\nwrite_blocksize=4k\n"
WITH_SIZES = profile("stat_weight=1").replace("[end]\n[thr", "size_weight 4k WEIGHT\n[end]\n[thr")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("time=5\n", "a.prof: no [filesystem]"),
        (profile("stat_weight=1", start="tme=5"), ":1: not a key that may stand here: tme"),
        (profile("stat_weight=1", start="time 5"), ":1: not KEY = VALUE: time"),
        (profile("stat_weight=1", start="time=soon"), ":1: time: not a whole number"),
        (profile("stat_weight=1", start="time=-5"), ":1: time: not a whole number"),
        (profile("stat_weight=1", start="directio=2"), ":1: directio: not 0 or 1"),
        (profile("stat_weight=1", start="time=5\ntime=6"), ":2: time is set twice, first in line 1"),
        (profile("stat_weight=1", start="alignio=1\nalignedio=0"), ":2: alignedio is set twice, first in line 1"),
        (profile("stat_weight=1", start="bufferio=1"), ":1: bufferio: cannot be honoured: reading and writing through"),
        (profile("stat_weight=1", start="bufferio=maybe"), ":1: bufferio: not 0 or 1"),
        (profile("stat_weight=1", start="callout=rm -rf /"), ":1: callout: cannot be honoured: no other program"),
        (profile("stat_weight=1", start="num_filesystems=2"), ":1: num_filesystems=2, but there are 1"),
        (profile("stat_weight=1", start="num_threadgroups=0"), ":1: num_threadgroups=0, but there are 1"),
        (profile("stat_weight=1", "min_filesize=1q"), ":6: min_filesize: not a size"),
        (profile("stat_weight=1", "min_filesize=17k"), ":6: min_filesize is more than max_filesize"),
        (profile("stat_weight=1", "num_files=99999999999"), ":4: num_files: not a whole number"),
        (profile("stat_weight=1", "init_util=1.5"), ":8: init_util: not a share from 0 to 1"),
        (profile("stat_weight=1", "init_util=nan"), ":8: init_util: not a share from 0 to 1"),
        (profile("stat_weight=1", "agefs=1"), ":8: agefs: a [threadgroup] that does it is missing"),
        (profile("stat_weight=1", "clone=/mnt/other"), ":8: clone: there is no other file system"),
        (profile("stat_weight=1", "speed=9"), ":8: not a key that may stand here: speed"),
        (profile("stat_weight=1", "init_size=1m min_filesize=0 max_filesize=0"), ":8: files without a size"),
        (profile("stat_weight=0"), ":9: a group without an operation that has a weight"),
        (profile("stat_weight=1", threads=0), ":10: a group without threads"),
        (profile("stat_weight=1", threads=1025), ":10: num_threads: not a whole number"),
        (profile("stat_weight=1 bindfs=/mnt/x"), ":12: bindfs: there is no file system /mnt/x"),
        (profile("read_weight=1"), ":11: read needs read_blocksize"),
        (profile("read_weight=1 read_blocksize=4k"), ":11: read needs read_size"),
        (profile("append_weight=1 write_blocksize=4k"), ":11: append needs write_size"),
        (profile("create_weight=1"), ":11: create needs write_blocksize"),
        (profile("stat_weight=1", "num_files=0"), ":11: stat needs files, and file system 0 has none"),
        (profile("read_weight=1 read_blocksize=4k read_size=17k"), ":13: read goes over 17408 bytes of a file"),
        (profile("write_weight=1 write_blocksize=4k write_size=17k"), ":13: write goes over 17408 bytes of a file"),
        (profile("read_weight=1 read_blocksize=4k read_size=4k read_random=1 read_skip=1 read_skipsize=4k"),
         ":15: read_skip and read_random exclude each other"),
        (profile("read_weight=1 read_blocksize=4k read_size=4k read_skip=1"), ":14: read_skip needs read_skipsize"),
        (profile("read_weight=1 read_blocksize=4k read_size=8k read_skip=1 read_skipsize=12k"),
         ":13: read goes over 20480 bytes of a file"),
        (profile("read_weight=1 read_blocksize=4k read_size=2k read_random=1"), ":13: read_random with a read_size"),
        (profile("readall_weight=1 read_blocksize=1000", start="directio=1"), ":12: directio: read_blocksize"),
        (profile("stat_weight=1", "max_filesize=20000", start="directio=1"), ":6: directio: file sizes"),
        (profile("stat_weight=1").replace("num_dirs = 2", f"{AGING}create_weight=1\nread_weight=1\nread_size=1\n[end]"),
         ":11: aging consists of create, append and delete; not of read"),
        (profile("stat_weight=1").replace("num_dirs = 2", f"{AGING}create_weight=1\ndelete_weight=1\n[end]"),
         ":10: aging needs more create than delete"),
        (profile("stat_weight=1") + "[filesystem]\n", ":13: this section has no [end]"),
        (profile("stat_weight=1") + "[end]\n", ":13: not a section that may stand here: end"),
        (profile("stat_weight=1") + "[stats]\n[end]\n", ":13: not a section that may stand here: stats"),
        (profile("stat_weight=1") + "[filesystem\n", ":13: not a section: [filesystem"),
        (profile("stat_weight=1") + "[filesystem 3]\n", ":13: not a section that may stand here: filesystem 3"),
        (WITH_SIZES.replace("WEIGHT", ""), ":8: size_weight: not a size and a weight"),
        (WITH_SIZES.replace("WEIGHT", "0"), ":8: all weights of sizes are 0"),
        (WITH_SIZES.replace("WEIGHT", "1"), ":7: max_filesize beside size_weight"),
        ("x" * (1 << 20) + "y", "larger than 1 MiB"),
        ("time=5\0\n", "not a text"),
    ],
)  # fmt: skip
def test_what_cannot_be_honoured_is_refused_with_its_line(
    fsload: Fsload, tmp_path: Path, text: str, words: str
) -> None:
    done = fsload("mix", write(tmp_path, text), seconds=1)
    assert (done.status, done.stdout) == (2, "")
    assert words in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["a.prof"]


def test_all_faults_are_named_at_once(fsload: Fsload, tmp_path: Path) -> None:
    text = profile("stat_wait=1 read_size=lots", "min_filesize=1q", start="time=soon")
    done = fsload("mix", write(tmp_path, text))
    assert done.status == 2
    for line in (1, 6, 11, 12):
        assert f"a.prof:{line}: " in done.stderr


def test_a_profile_without_time_measures_nothing(fsload: Fsload, tmp_path: Path) -> None:
    path = write(tmp_path, profile("stat_weight=1", start="time=0"))
    done = fsload("mix", path)
    assert (done.status, done.stdout) == (2, "")
    assert "--seconds or --operations" in done.stderr
    assert fsload("mix", path, operations=5).status == 0


def test_a_profile_that_is_not_there(fsload: Fsload, tmp_path: Path) -> None:
    done = fsload("mix", tmp_path / "absent")
    assert done.status == 2
    assert "No such file or directory" in done.stderr


def test_more_files_than_there_is_room_for(fsload: Fsload, tmp_path: Path) -> None:
    done = fsload("mix", write(tmp_path, profile("stat_weight=1", "min_filesize=900t max_filesize=900t")))
    assert done.status == 2, "FFSB has no terabytes"
    size = "min_filesize=900000g max_filesize=900000g"
    done = fsload("mix", write(tmp_path, profile("stat_weight=1", size)), seconds=1)
    assert (done.status, done.results) == (3, [])


def test_fewer_files_than_threads_that_need_their_own(fsload: Fsload, tmp_path: Path) -> None:
    text = profile("append_weight=1 write_size=4k write_blocksize=4k", threads=21)
    done = fsload("mix", write(tmp_path, text), seconds=1)
    assert done.status == 3
    assert "fewer files than threads" in done.stderr
    text = profile("stat_weight=1", threads=21)
    assert fsload("mix", write(tmp_path, text), operations=1).status == 0


def test_a_profile_that_is_no_file_is_refused_at_once(fsload: Fsload, tmp_path: Path) -> None:
    """Reading a pipe without a writer would wait forever."""
    os.mkfifo(tmp_path / "pipe")
    for name, words in (("pipe", "not a regular file"), (".", "not a regular file"), ("none", "No such file")):
        done = fsload("mix", tmp_path / name, seconds=1)
        assert (done.status, done.stdout) == (2, "")
        assert words in done.stderr
