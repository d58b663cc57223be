"""Tar files of `fsload metadata`: Python's tarfile writes those to unpack, and reads the written archives."""

import bz2
import gzip
import io
import lzma
import os
import stat
import subprocess
import tarfile
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engine.conftest import Build, Run, run
from tests.engine.memory import tmp_path as tmp_path  # a fixture

pytestmark = [pytest.mark.needs("cc", package="gcc"), pytest.mark.needs("make", package="make")]

LONG = "a" * 120
DEEP = "/".join(["directory"] * 20)
FORMATS = {"ustar": tarfile.USTAR_FORMAT, "gnu": tarfile.GNU_FORMAT, "pax": tarfile.PAX_FORMAT}
Tree = dict[str, tuple[str, bytes | str]]  # path: kind and content


Member = tuple[tarfile.TarInfo, bytes]


def member(name: str, kind: bytes = tarfile.REGTYPE, content: bytes = b"", target: str = "") -> Member:
    info = tarfile.TarInfo(name)
    info.type, info.size, info.linkname, info.mtime = kind, len(content), target, 1_200_000_000
    info.mode = 0o755 if kind == tarfile.DIRTYPE else 0o640
    return info, content


def packed(members: Iterable[Member], layout: int = tarfile.PAX_FORMAT) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=layout) as tar:
        for info, content in members:
            tar.addfile(info, io.BytesIO(content))
    return file.getvalue()


PLAIN = [
    member("./", tarfile.DIRTYPE),
    member("./tree", tarfile.DIRTYPE),
    member("tree/empty"),
    member("tree//odd/./sizes", content=b"x" * 10241),
    member("tree/block", content=os.urandom(512 * 40)),
    member("tree/é", content=b"name"),
    member("tree/outside", tarfile.SYMTYPE, target="/etc/passwd"),
    member("tree/dangling", tarfile.SYMTYPE, target="../.."),
    member("again", tarfile.LNKTYPE, target="./tree/block"),
    member(DEEP + "/file", content=b"deep"),
    member("tree", tarfile.DIRTYPE),
]
LONG_NAMES = [
    member(f"long/{LONG}/{LONG}/{LONG}", content=b"long"),
    member("link", tarfile.SYMTYPE, target=LONG),
    member("hard", tarfile.LNKTYPE, target=f"long/{LONG}/{LONG}/{LONG}"),
]


def expected(members: Iterable[Member]) -> Tree:
    tree: Tree = {}
    for info, content in members:
        path = os.path.normpath(info.name)
        for parent in Path(path).parents:
            tree[str(parent)] = ("directory", b"")
        if info.isdir():
            tree[path] = ("directory", b"")
        elif info.issym():
            tree[path] = ("symlink", info.linkname)
        else:
            tree[path] = ("file", tree[os.path.normpath(info.linkname)][1] if info.islnk() else content)
    return {path: entry for path, entry in tree.items() if path != "."}


def on_disk(root: Path) -> Tree:
    tree: Tree = {}
    for directory, names, files in os.walk(root):
        for name in names + files:
            path = Path(directory, name)
            key = str(path.relative_to(root))
            if path.is_symlink():
                tree[key] = ("symlink", os.readlink(path))
            else:
                tree[key] = ("directory", b"") if path.is_dir() else ("file", path.read_bytes())
    return tree


def in_archive(path: Path) -> Tree:
    tree: Tree = {}
    with tarfile.open(path, "r:") as tar:
        for info in tar:
            name = info.name.removeprefix("source/")
            if info.isdir():
                tree[name] = ("directory", b"")
            elif info.issym():
                tree[name] = ("symlink", info.linkname)
            else:
                file = tar.extractfile(info)  # for a hard link, the file that it refers to
                assert file
                tree[name] = ("file", file.read())
    return tree


Unpack = Callable[..., Run]


@pytest.fixture
def unpack(program: Path, tmp_path: Path) -> Unpack:
    """Run the program with this tar file, and keep the files that the tests leave behind."""
    (tmp_path / "work").mkdir()

    def call(tar: bytes, tests: str = "source_unpack,source_archive", keep: bool = True) -> Run:
        (tmp_path / "given.tar").write_bytes(tar)
        options = {"keep": True} if keep else {}
        return run(program, tmp_path / "work", "metadata", tests=tests, tar=tmp_path / "given.tar", **options)

    return call


def kept(done: Run) -> Path:
    assert done.status == 0, done.stderr + done.stdout
    return Path(done.lines[-1]["kept"]) / "work"


@pytest.mark.parametrize("layout", FORMATS)
def test_the_tree_is_unpacked_and_archived(unpack: Unpack, layout: str) -> None:
    members = PLAIN if layout == "ustar" else PLAIN + LONG_NAMES
    done = unpack(packed(members, FORMATS[layout]))
    directory = kept(done)
    tree = expected(members)
    assert on_disk(directory / "source") == tree
    assert in_archive(directory / "source.tar") == tree
    assert (directory / "source.tar").stat().st_size % 10240 == 0
    assert [(r["test"], r["operations"]) for r in done.results] == [
        ("source_unpack", len(tree)),
        ("source_archive", len(tree)),
    ]


def test_times_permissions_and_links_are_kept(unpack: Unpack) -> None:
    directory = kept(unpack(packed(PLAIN + LONG_NAMES)))
    status = (directory / "source/tree/block").stat()
    assert (status.st_mtime, stat.S_IMODE(status.st_mode), status.st_nlink) == (1_200_000_000, 0o640, 2)
    with tarfile.open(directory / "source.tar") as tar:
        names = {info.name: info for info in tar}
    links = [names["source/again"], names["source/tree/block"]]
    assert sorted(info.islnk() for info in links) == [False, True]
    assert {info.mtime for info in links} == {1_200_000_000}


@pytest.mark.needs("tar", package="tar")
def test_what_tar_itself_writes(unpack: Unpack, tmp_path: Path) -> None:
    source = Path(__file__).parent
    for layout in ("v7", "oldgnu", "gnu", "ustar", "posix"):
        command = ["tar", f"--format={layout}", "-c", "-C", str(source), "golden", "conftest.py"]
        directory = kept(unpack(subprocess.run(command, capture_output=True, check=True).stdout))
        assert (directory / "source/conftest.py").read_bytes() == (source / "conftest.py").read_bytes()
        assert set(os.listdir(directory / "source/golden")) == set(os.listdir(source / "golden"))


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ([member("/etc/passwd")], "/etc/passwd: its path is absolute"),
        ([member("a/../../b")], "a/../../b: its path has .. in it"),
        ([member("..", tarfile.DIRTYPE)], "its path has .. in it"),
        ([member("a", tarfile.SYMTYPE, target="/tmp"), member("a/b")], "a/b: what should be its directory is an entry"),
        ([member("a/b"), member("a", tarfile.SYMTYPE, target="/tmp")], "a: its path is that of an earlier entry"),
        ([member("a"), member("./a")], "./a: its path is that of an earlier entry"),
        ([member("a", tarfile.LNKTYPE, target="/etc/passwd")], "its link's target is absolute"),
        ([member("a", tarfile.LNKTYPE, target="b")], "a: its link's target is no file before it"),
        ([member("a", tarfile.SYMTYPE)], "a: its link's target is empty"),
        ([member("a", tarfile.CHRTYPE)], "a: it is a device or a FIFO"),
        ([member("a", tarfile.FIFOTYPE)], "a: it is a device or a FIFO"),
        ([member("a", tarfile.GNUTYPE_SPARSE)], "a: it is a sparse file"),
        ([member("/".join("a" * 65))], "its path has more than 64 names"),
        ([member("a" * 256)], "its path is too long"),
        ([], "nothing is in it"),
        ([member("./", tarfile.DIRTYPE)], "nothing is in it"),
    ],
)
def test_unsafe_entries_are_refused(unpack: Unpack, tmp_path: Path, members: list[Member], words: str) -> None:
    refused(unpack(packed(members, tarfile.GNU_FORMAT), keep=False), tmp_path, words)


def refused(done: Run, tmp_path: Path, words: str) -> None:
    assert (done.status, done.stdout) == (2, "")
    assert words in done.stderr
    assert list((tmp_path / "work").iterdir()) == []


GOOD = packed([member("file", content=b"x" * 2000)])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (gzip.compress(GOOD), "gunzip first"),
        (bz2.compress(GOOD), "bunzip2 first"),
        (lzma.compress(GOOD), "unxz first"),
        (b"\x28\xb5\x2f\xfd" + GOOD, "unzstd first"),
        (b"PK\x03\x04" + GOOD, "a zip archive"),
        (b"text" * 1000, "it is no tar file"),
        (b"", "nothing is in it"),
        (GOOD[:100], "at byte 0: the file ends inside a header"),
        (GOOD[:1024], "at byte 0: its data end beyond the end of the file"),
        (GOOD[:2560] + GOOD[:500] + b"?" + GOOD[501:512], "at byte 2560: a header's checksum is wrong"),
    ],
)
def test_a_damaged_or_compressed_file_is_refused(unpack: Unpack, tmp_path: Path, content: bytes, words: str) -> None:
    refused(unpack(content, keep=False), tmp_path, words)


def test_every_fault_is_listed(unpack: Unpack, tmp_path: Path) -> None:
    done = unpack(packed([member("good"), *(member(f"/bad{number}") for number in range(105))]), keep=False)
    refused(done, tmp_path, "at byte 512: /bad0: its path is absolute")
    assert done.stderr.count("its path is absolute") == 100
    assert "and 5 faults more" in done.stderr


@pytest.mark.parametrize("name", ["absent", "directory", "fifo"])
def test_what_is_no_file_is_refused(program: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "directory").mkdir()
    os.mkfifo(tmp_path / "fifo")
    done = run(program, tmp_path, "metadata", tar=tmp_path / name)
    assert done.status == 2
    assert ("No such file" if name == "absent" else "it is no regular file") in done.stderr


def test_two_sources_are_one_too_many(program: Path, tmp_path: Path) -> None:
    (tmp_path / "given.tar").write_bytes(GOOD)
    done = run(program, tmp_path, "metadata", tar=tmp_path / "given.tar", control_files=True)
    assert done.status == 2
    assert "only where there is no --tar" in done.stderr


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_damage_gets_past_the_sanitizers(build: Build, tmp_path: Path, data: st.DataObject) -> None:
    """Headers with random bytes and valid checksums are refused or unpacked, and nothing outside is touched."""
    layout = data.draw(st.sampled_from(list(FORMATS.values())))
    content = bytearray(packed(PLAIN + (LONG_NAMES if layout != tarfile.USTAR_FORMAT else []), layout))
    for _ in range(data.draw(st.integers(1, 3))):
        position = data.draw(st.integers(0, len(content) - 1))
        content[position] = data.draw(st.integers(0, 255))
        mend(content, position // 512 * 512)
    (tmp_path / "given.tar").write_bytes(content)
    done = run(
        build("fsload-asan"), tmp_path, "metadata", tests="source_unpack,source_read", tar=tmp_path / "given.tar"
    )
    assert done.status in (0, 2), done.stderr
    assert "Sanitizer" not in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["given.tar"]


def mend(content: bytearray, start: int) -> None:
    """Correct the checksum of the header at this offset."""
    if content[start + 257 : start + 262] == b"ustar":
        total = sum(content[start : start + 512]) - sum(content[start + 148 : start + 156]) + 8 * 32
        content[start + 148 : start + 156] = b"%06o\0 " % total
