"""Plans from a server, written by an attacker: options that could reach beyond the target are refused with a reason."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import find, given
from hypothesis import strategies as st

from benchagent.config import Config
from benchagent.errors import PlanError
from benchagent.filesystems import made, named
from benchagent.filesystems.ext import TUNE2FS
from benchagent.plan.model import Plan
from benchagent.plan.reading import load
from benchagent.plan.served import faults_of, file_names, refused_arguments, refused_mount_options
from benchagent.queue.allowed import devices_of, faults_here, with_own_paths

WORKLOAD = '\n[[workloads]]\ntool = "fsload"\ncommand = "layout"\n'
BY_ID = "/dev/disk/by-id/ata-GOOD_1"


def target(kind: str = "image", **fields: Any) -> str:
    """A plan with one target."""
    own = {"size": "64 MiB", "file_system": "ext4"} if kind == "image" else {}
    given = {"kind": kind, **own, **fields}
    return 'name = "served"\n[[targets]]\n' + "".join(f"{key} = {_toml(value)}\n" for key, value in given.items())


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return str(value) if isinstance(value, int) else "'" + str(value) + "'"


def plan_of(text: str) -> Plan | None:
    """The plan; None if the parser itself refuses it."""
    try:
        return load(text + WORKLOAD)
    except PlanError:
        return None


MKFS_ATTACKS = [
    ("ext4", ["-d", "."]),  # copies the working directory of mkfs into the image
    ("ext4", ["-d."]),
    ("ext4", ["-F", "sda"]),  # another device
    ("ext4", ["sda"]),
    ("ext4", ["-J", "device=LABEL=root"]),
    ("ext4", ["-Jdevice=UUID=1"]),
    ("ext4", ["-J", "size=64,device=LABEL=x"]),
    ("ext4", ["-E", "offset=4096"]),
    ("ext4", ["-E", "stride=4,root_owner=1000:1000"]),
    ("ext4", ["-e", "panic"]),
    ("ext4", ["-l", "bad_blocks"]),
    ("ext4", ["-z", "undo"]),
    ("ext4", ["-U", "clear"]),
    ("ext4", ["-b"]),
    ("ext4", ["-b", "-d"]),
    ("ext4", ["-b", "4096 -d ."]),
    ("ext4", ["-b", "4096\n"]),
    ("ext4", ["--", "sda"]),
    ("ext4", ["-qd", "."]),  # flags in one argument
    ("ext4", ["-q."]),
    ("ext4", ["-S"]),
    ("xfs", ["-p", "proto"]),  # copies files in
    ("xfs", ["-c", "options=x"]),
    ("xfs", ["-d", "name=sda"]),
    ("xfs", ["-d", "file=1,name=x"]),
    ("xfs", ["-d", "agcount=4,name=x"]),
    ("xfs", ["-l", "logdev=sda"]),
    ("xfs", ["-l", "internal=0"]),
    ("xfs", ["-r", "rtdev=sda"]),
    ("xfs", ["-N"]),
    ("btrfs", ["-r", "."]),
    ("btrfs", ["--rootdir", "."]),
    ("btrfs", ["--rootdir=."]),
    ("btrfs", ["--root=."]),  # getopt_long accepts prefixes
    ("btrfs", ["-d", "raid0", "sda"]),
    ("btrfs", ["--shrink"]),
    ("f2fs", ["-c", "sda"]),
    ("f2fs", ["-T", "0"]),
]


@pytest.mark.parametrize(("file_system", "options"), MKFS_ATTACKS)
def test_mkfs_gets_no_option_that_reaches_beside_the_target(file_system: str, options: list[str]) -> None:
    plan = plan_of(target(file_system=file_system, mkfs_options=options))

    assert plan is None or "mkfs_options" in " ".join(faults_of(plan))
    assert refused_arguments(named(file_system).mkfs_options, options)


@pytest.mark.parametrize(
    "option",
    [
        *(
            "loop",
            "loop=x",
            "dev",
            "suid",
            "exec",
            "user",
            "users",
            "owner",
            "uid=0",
            "remount",
            "bind",
            "rbind",
            "move",
        ),
        *(
            "logdev=sda",
            "rtdev=x",
            "device=sda",
            "subvol=x",
            "journal_dev=8",
            "journal_path=x",
            "usrjquota=aquota.user",
        ),
        *("grpjquota=x", "jqfmt=vfsv0", "errors=panic", "degraded", "x-mount.mkdir", "X-mount.owner=0", "helper=x"),
        *(
            "noatime,loop",
            "noatime,dev",
            ",",
            "",
            "noatime ",
            "noatime\n",
            "NOATIME",
            "barrier=2",
            "data=",
            "test_dummy",
        ),
        *("context=x", "offset=4096", "sizelimit=1", "encryption=x", "rescue=all", "sb=1", "_netdev", "noauto", "ro"),
        *(
            "commit=1 -o loop",
            "stripe=-1",
            "compress=zstd:999",
            "thread_pool=99999",
            "uhelper=x",
            "nofail",
            "comment=x",
        ),
    ],
)
def test_mount_gets_no_option_that_reaches_beside_the_target(option: str) -> None:
    for file_system in ("ext4", "xfs", "btrfs", "f2fs", "jfs"):
        assert refused_mount_options(file_system, ["noatime", option])
    plan = plan_of(target(mount_options=["noatime", option]))
    assert plan is None or "mount_options" in " ".join(faults_of(plan))


@pytest.mark.parametrize(
    "options",
    [["-e", "panic"], ["-M", "x"], ["-J", "device=x"], ["-Q", "usrquota"], ["-U", "random"], ["-z", "x"], ["sda"]],
)
def test_tune2fs_gets_no_option_that_reaches_beside_the_target(options: list[str]) -> None:
    plan = plan_of(target(tune2fs=options))

    assert refused_arguments(TUNE2FS, options)
    assert plan is None or "tune2fs" in " ".join(faults_of(plan))


@pytest.mark.parametrize(
    "fields",
    [
        {"mkfs_options": ["-b", "4096", "-E", "stride=32,stripe_width=128", "-O", "^has_journal,dir_index", "-m0"]},
        {"mkfs_options": ["-b4096"], "mount_options": ["noatime", "barrier=0", "data=writeback,commit=60"]},
        {
            "file_system": "xfs",
            "mkfs_options": ["-d", "su=128k,sw=10", "-l", "size=64m,lazy-count=1", "-b", "size=4096"],
        },
        {"file_system": "xfs", "mount_options": ["nobarrier", "logbufs=8", "logbsize=256k", "allocsize=1g"]},
        {"file_system": "btrfs", "mkfs_options": ["-n", "16k", "--csum=xxhash"], "mount_options": ["compress=zstd:3"]},
        {"tune2fs": ["-O", "dir_index", "-o", "journal_data_writeback", "-c", "0", "-i0"]},
        {"read_ahead": "8 MiB", "scheduler": "mq-deadline", "nr_requests": 512},
    ],
)
def test_what_articles_vary_is_served(fields: dict[str, Any]) -> None:

    assert faults_of(load(target(**fields) + WORKLOAD)) == []


FLAGS = sorted({flag for flags in (*(each.mkfs_options for each in made()), TUNE2FS) for flag in flags})
WORDS = st.text(st.characters(codec="ascii"), max_size=12) | st.sampled_from([*FLAGS, "1", "size=4096"])
ARGUMENTS = st.lists(WORDS, min_size=1, max_size=4)


@given(options=ARGUMENTS)
def test_no_argument_stands_alone_beside_known_flags(options: list[str]) -> None:
    """Every accepted argument begins with a flag of the list, or is the value of the previous one."""
    for flags in (*(each.mkfs_options for each in made()), TUNE2FS):
        if not refused_arguments(flags, options):
            assert options[0].startswith(tuple(flags))


@pytest.mark.parametrize(
    "flags", [named("ext4").mkfs_options, named("xfs").mkfs_options, TUNE2FS], ids=["ext4", "xfs", "tune2fs"]
)
def test_some_arguments_are_let_through(flags: Any) -> None:
    """The test above has accepted arguments to check."""
    assert find(ARGUMENTS, lambda options: len(options) > 1 and not refused_arguments(flags, options))


def test_a_served_plan_brings_no_archive_and_no_host_of_threads() -> None:
    text = target() + '\n[[workloads]]\nname = "a"\ntool = "fsload"\ncommand = "metadata"\ntar = "linux.tar"\n'
    text += '\n[[workloads]]\nname = "b"\ntool = "iozone"\nfile_sizes = ["1 MiB"]\nthreads = 100000\n'
    plan = load(text)

    assert [fault.split(":")[0] for fault in faults_of(plan)] == ["workload a", "workload b"]


@pytest.mark.parametrize(
    ("workload", "refused"),
    [
        ('tool = "fsload"\nfile_sizes = ["1 GiB"]\nrecord_sizes = ["4 KiB", "1 GiB"]', False),
        ('tool = "fsload"\nfile_sizes = ["1 GiB"]\nrecord_sizes = ["4 KiB", "1 GiB"]\nthreads = 2', True),
        ('tool = "fsload"\ncommand = "tree"\nblock_size = "64 MiB"\nthreads = 16', False),
        ('tool = "fsload"\ncommand = "tree"\nblock_size = "64 MiB"\nthreads = 17', True),
        ('tool = "iozone"\nfile_sizes = ["1 GiB"]\nrecord_sizes = ["16 MiB"]\nthreads = 1024', True),
    ],
)
def test_the_threads_of_a_served_plan_hold_a_gibibyte_at_most(workload: str, refused: bool) -> None:
    plan = load(f'{target()}\n[[workloads]]\nname = "a"\n{workload}\n')
    assert bool(faults_of(plan)) is refused


@pytest.mark.parametrize("name", ["../etc/passwd", "/etc/passwd", ".ssh/id", "a/../../b", "a\0b", "~root", "-o"])
def test_a_file_of_a_served_plan_lies_beside_it(name: str) -> None:
    text = target() + f'\n[[workloads]]\ntool = "fsload"\ncommand = "mix"\nprofile = \'{name}\'\n'
    plan = None
    try:
        plan = load(text)
    except PlanError:
        return
    assert all(
        not Path(file_name).is_absolute() and ".." not in Path(file_name).parts for file_name in file_names(plan)
    )


def config(tmp_path: Path, **fields: Any) -> Config:
    (tmp_path / "bench").mkdir(exist_ok=True)
    return Config(directories=(str(tmp_path / "bench"),), **fields)


def faults(text: str, settings: Config) -> list[str]:
    return faults_here(load(text + WORKLOAD), settings)


def test_without_a_config_nothing_is_served() -> None:
    for text in (
        target(),
        target("directory"),
        target("directory", path="/"),
        target("device", path=BY_ID, file_system="xfs"),
    ):
        assert len(faults(text, Config())) == 1


def test_a_directory_is_one_of_the_config_or_below(tmp_path: Path) -> None:
    settings = config(tmp_path)
    (tmp_path / "bench" / "raid").mkdir()
    (tmp_path / "bench2").mkdir()
    (tmp_path / "bench" / "out").symlink_to(tmp_path / "bench2")
    bench = str(tmp_path / "bench")

    for good in (bench, bench + "/", bench + "/raid", bench + "/raid/../raid", bench + "/not/there/yet"):
        assert faults(target("directory", path=good), settings) == [], good
    for bad in (
        "/",
        "/etc",
        str(tmp_path),
        bench + "2",
        bench + "/..",
        bench + "/../bench2",
        bench + "/out",
        "bench",
        ".",
    ):
        assert "directories" in faults(target("directory", path=bad), settings)[0], bad


def test_an_open_directory_is_the_first_of_the_config(tmp_path: Path) -> None:
    settings = config(tmp_path)

    (own,) = with_own_paths(load(target("directory") + WORKLOAD), settings).targets
    assert own.path == os.path.realpath(tmp_path / "bench")


def test_a_link_is_followed_once_and_then_the_real_directory_is_used(tmp_path: Path) -> None:
    settings = config(tmp_path)
    (tmp_path / "bench" / "real").mkdir()
    link = tmp_path / "bench" / "link"
    link.symlink_to(tmp_path / "bench" / "real")
    plan = with_own_paths(load(target("directory", path=str(link)) + WORKLOAD), settings)
    link.unlink()
    link.symlink_to("/etc")

    assert plan.targets[0].path == os.path.realpath(tmp_path / "bench" / "real")


def test_the_device_below_a_directory_is_not_tuned(tmp_path: Path) -> None:
    plan = plan_of(target("directory", nr_requests=1))

    assert plan is None or "others use" in faults_here(plan, config(tmp_path))[0]


def test_images_are_made_where_the_config_says_so(tmp_path: Path) -> None:
    assert "images = true" in faults(target(), config(tmp_path))[0]
    assert faults(target(), config(tmp_path, images=True)) == []


@pytest.mark.parametrize(
    "path",
    ["/dev/disk/by-id/ata-OTHER", "/dev/disk/by-id/../../sda", "/dev/sda", BY_ID + "/", "/dev/disk/by-id//ata-GOOD_1"],
)
def test_a_device_is_one_of_the_config_in_its_very_words(tmp_path: Path, path: str) -> None:
    plan = plan_of(target("device", path=path, file_system="ext4"))

    assert plan is None or "devices" in faults_here(plan, config(tmp_path, devices=(BY_ID,)))[0]


def test_wiping_is_allowed_for_each_device_by_itself(tmp_path: Path) -> None:
    settings = config(tmp_path, devices=(BY_ID, BY_ID + "2"), wipe=(BY_ID + "2",))

    assert faults(target("device", path=BY_ID, file_system="ext4"), settings) == []
    assert "wipe" in faults(target("device", path=BY_ID, file_system="ext4", wipe=True), settings)[0]
    plan = load(target("device", path=BY_ID + "2", file_system="ext4", wipe=True) + WORKLOAD)
    assert faults_here(plan, settings) == []
    assert devices_of(plan) == [BY_ID + "2"]


@pytest.mark.parametrize(
    "text",
    [
        'command = "rm -rf /"\n' + target(),
        target() + '\n[[workloads]]\ntool = "sh"\nscript = "x"\n',
        target() + '\n[[workloads]]\ntool = "iozone"\nfile_sizes = ["1 MiB"]\narguments = ["-f", "/etc/passwd"]\n',
        target(name="../x"),
        target(name="a/b"),
        target(file_system="/bin/sh"),
        target(file_system="ext4 -d"),
        target(mkfs_options=["/dev/sda"]),
    ],
)
def test_the_parser_knows_no_commands_and_no_paths_in_options(text: str) -> None:
    with pytest.raises(PlanError):
        load(text + WORKLOAD)
