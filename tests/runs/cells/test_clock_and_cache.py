"""The basis of cache and clock verdicts: files of threads, flags, bytes moved by the device, other tests of the run."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from benchdb.runs.cells.clock_and_cache import caches, clocks
from benchdb.runs.queries import measured as stored
from benchdb.runs.queries import results_of
from tests.agents.formats.corpus import PUBLIC, read
from tests.support.documents import GIB, KIB, MIB, document, output_document, result, target
from tests.support.store import store_run

NO_CACHE = PUBLIC / "iozone" / "Demindiro__bcachefs-benchmarks__results-nocache-noenc-nocomp"


def verdicts(owner: User, measured: dict[str, Any], **parameters: Any) -> list[tuple[str, str | None]]:
    """(verdict, reason) of a run of fsload on a machine with 8 GiB; `measured` is its only result."""
    content = document(results=[measured], protocol={**document()["protocol"], "cache": "uncontrolled"})
    content["workload"] = {"tool": "fsload", "tool_version": "0.2.0", "command": ["fsload"], "parameters": parameters}
    run = store_run(owner, content)
    return [(each.verdict, each.reason) for each in caches(results_of(run), {run.id: run})]


def measured(test: str, file_size: int, **fields: Any) -> dict[str, Any]:
    return result([1e8] * 3, test, file_size=file_size, record_size=MIB, threads=4, **fields)


def test_files_of_all_threads_count_unless_they_share_one(owner: User) -> None:
    assert verdicts(owner, measured("read", 8 * GIB)) == [("device", "larger_than_memory")]
    assert verdicts(owner, measured("read", 8 * GIB), shared_file=True) == [("unknown", "memory_may_hold")]
    assert verdicts(owner, measured("read", 6 * GIB), shared_file=True) == [("cached", "fits_in_memory")]


@pytest.mark.parametrize("sync", ["dsync", "sync"])
def test_synchronous_writes_reach_the_device(owner: User, sync: str) -> None:
    assert verdicts(owner, measured("write", MIB), sync=sync) == [("device", "flushed")]
    assert verdicts(owner, measured("write", MIB), sync="none") == [("cached", "fits_in_memory")]


def test_caches_that_were_emptied_before_a_test_hold_nothing_of_its_file(owner: User) -> None:
    """A run of many tests, because its cache regime does not say which of them found the caches empty."""
    results = [measured("read", MIB, evidence={"cache_emptied": True}), measured("reread", MIB)]
    run = store_run(owner, document(results=results, protocol={**document()["protocol"], "cache": "cold"}))
    assert [each.reason for each in caches(results_of(run), {run.id: run})] == ["dropped", "fits_in_memory"]


@pytest.mark.parametrize(
    ("others", "alone"),
    [
        ([], True),
        ([result([1.0] * 3, "read", "elapsed", "s", file_size=MIB, record_size=MIB, threads=4)], True),
        ([result([1.0] * 3, "mkfs", "elapsed", "s")], True),
        ([measured("reread", MIB)], False),
        ([measured("read", GIB)], False),
    ],
    ids=["nothing else", "another metric of it", "what has no file", "another test", "another size"],
)
def test_a_place_is_alone_whatever_was_asked_for(owner: User, others: list[dict[str, Any]], alone: bool) -> None:
    run = store_run(owner, document(results=[measured("read", MIB), *others]))
    filters = {"test": ["read"], "metric": ["throughput"], "file_size": [MIB]}

    assert [each.alone for each in stored([run.pk], filters)] == [alone]


def test_what_the_device_moved_says_more_than_sizes(owner: User) -> None:
    seen = {"device_read_bytes": GIB, "device_write_bytes": 0, "logical_bytes": GIB}
    assert verdicts(owner, measured("read", MIB, evidence=seen)) == [("device", "device_bytes")]
    assert verdicts(owner, measured("write", MIB, evidence=seen)) == [("cached", "device_bytes")]


def test_a_test_without_a_direction_counts_both(owner: User) -> None:
    """A mix, a data_create, a source_read: the names do not say whether they read or write."""
    for moved in (
        {"device_read_bytes": 0, "device_write_bytes": GIB},
        {"device_read_bytes": GIB, "device_write_bytes": 0},
    ):
        seen = {**moved, "logical_bytes": GIB}
        assert verdicts(owner, measured("mix", MIB, evidence=seen)) == [("device", "device_bytes")]
    seen = {"device_read_bytes": 0, "device_write_bytes": 0, "logical_bytes": GIB}
    assert verdicts(owner, measured("mix", MIB, evidence=seen)) == [("cached", "device_bytes")]


def of_command(owner: User, command: str, tests: list[str], **sections: Any) -> dict[str, tuple[str, str | None]]:
    """Test → (verdict, reason) of files of 64 MiB on a machine of 8 GiB."""
    results = [result([1e8] * 3, test, file_size=64 * MIB, record_size=64 * KIB) for test in tests]
    tool = command.split()[0]
    workload = {"tool": tool, "tool_version": None, "command": command.split(), "parameters": {}}
    protocol = {**document()["protocol"], "cache": "uncontrolled"}
    run = store_run(owner, document(results=results, workload=workload, protocol=protocol, **sections))
    judged = caches(results_of(run), {run.id: run})
    return {test: (each.verdict, each.reason) for test, each in zip(tests, judged, strict=True)}


def test_direct_access_holds_for_the_tests_that_have_it(owner: User) -> None:
    tests = ["read", "random_write", "fread", "fwrite"]
    assert of_command(owner, "iozone -I -a", tests) == {
        "read": ("device", "direct"),
        "random_write": ("device", "direct"),
        "fread": ("cached", "fits_in_memory"),
        "fwrite": ("cached", "fits_in_memory"),
    }
    assert of_command(owner, "iozone -IB -a", ["read"]) == {"read": ("cached", "fits_in_memory")}
    assert of_command(owner, "bonnie++ -D -f -d .", ["block_write", "block_read"]) == {
        "block_write": ("device", "direct"),
        "block_read": ("cached", "fits_in_memory"),
    }


@pytest.mark.needs("../shared/corpus/public/iozone/Demindiro__bcachefs-benchmarks__results-nocache-noenc-nocomp")
def test_a_published_run_with_direct_access(owner: User) -> None:
    """`iozone -I -a` on bcachefs. At 8 MiB in records of 512 KiB it read 470,128 and fread 7,203,592 KiB/s."""
    run = store_run(owner, output_document(read(NO_CACHE), "iozone.txt", target=target("bcachefs")))
    results = results_of(run)
    by_test: dict[str, set[str]] = {}
    for measured_, judged in zip(results, caches(results, {run.id: run}), strict=True):
        by_test.setdefault(measured_.test, set()).add(judged.verdict)
    assert by_test["fread"] == by_test["freread"] == by_test["fwrite"] == by_test["frewrite"] == {"cached"}
    assert "device" in by_test["read"]
    assert by_test["read"] <= {"device", "unknown"}


def storage(file_system: str | None = "ext4", *layers: dict[str, Any], **sections: Any) -> dict[str, Any]:
    made = target("ext4")
    made["file_system"]["type"] = file_system
    disk = {"kind": "disk", "name": "sda", "model": "ST4000NM0035"}
    return {**made, "stack": list(layers) if layers else [disk], **sections}


DISK = {"kind": "disk", "name": "sdb", "model": "ST4000NM0035", "transport": "sata"}
NFS = {"kind": "network", "facts": {"protocol": "nfs4"}}
STORAGE = [
    ("a disk", storage("xfs", DISK), ("device", "direct")),
    ("tmpfs", storage("tmpfs", {"kind": "tmpfs"}), ("cached", "in_memory")),
    ("a RAM disk", storage("ext4", {"kind": "disk", "name": "ram0"}), ("cached", "in_memory")),
    ("null_blk", storage("xfs", {"kind": "disk", "name": "nullb0"}), ("cached", "in_memory")),
    ("DAX", storage("ext4", {"kind": "disk", "name": "pmem0"}, mount={"options": ["rw", "dax"]}), ("device", "dax")),
    ("DAX of virtiofs", storage("virtiofs", DISK, mount={"options": ["dax"]}), ("unknown", "size_says_nothing")),
    ("DAX over FUSE", storage("fuse.x", DISK, mount={"options": ["dax"]}), ("unknown", "daemon_may_cache")),
    ("an image in tmpfs", storage("ext4", {"kind": "loop", "facts": {"direct_io": True}}, {"kind": "tmpfs"}),
     ("cached", "in_memory")),
    ("NFS", storage("nfs4", NFS), ("unknown", "server_may_cache")),
    ("an image on NFS", storage("ext4", {"kind": "loop", "facts": {"direct_io": True}}, NFS),
     ("unknown", "server_may_cache")),
    ("9p", storage("9p", {"kind": "network", "facts": {"protocol": "9p"}}), ("unknown", "server_may_cache")),
    ("FUSE", storage("fuse.bindfs", DISK), ("unknown", "daemon_may_cache")),
    ("iSCSI", storage("ext4", {**DISK, "transport": "iscsi"}), ("unknown", "server_may_cache")),
    ("bcache", storage("ext4", {"kind": "bcache"}, DISK), ("unknown", "fast_device")),
    ("dm-cache", storage("ext4", {"kind": "lvm", "facts": {"targets": "cache", "cached": True}}, DISK),
     ("unknown", "fast_device")),
    ("ZFS", storage("zfs", {"kind": "zfs", "facts": {"vdevs": "raidz2 of 6"}}), ("unknown", "own_cache")),
    ("ext4, data=journal", storage("ext4", DISK, mount={"options": ["rw", "data=journal"]}),
     ("cached", "fits_in_memory")),
    ("btrfs", storage("btrfs", DISK, mount={"options": ["rw"]}), ("device", "direct")),
    ("btrfs, compressed", storage("btrfs", DISK, mount={"options": ["compress=zstd:3"]}),
     ("unknown", "direct_unsure")),
    ("overlay", storage("overlay", {"kind": "overlay"}, DISK), ("unknown", "direct_unsure")),
    ("an unknown file system", storage(None, DISK), ("unknown", "direct_unsure")),
]  # fmt: skip


@pytest.mark.parametrize(("where", "expected"), [each[1:] for each in STORAGE], ids=[each[0] for each in STORAGE])
def test_direct_access_on_storage_of_all_kinds(
    owner: User, where: dict[str, Any], expected: tuple[str, str | None]
) -> None:
    assert of_command(owner, "iozone -I -a", ["read"], target=where) == {"read": expected}


def test_zfs_that_answers_at_once_flushes_nothing(owner: User) -> None:
    zfs = storage("zfs", {"kind": "zfs"}, extra={"file_system": {"sync": "disabled"}})
    assert of_command(owner, "iozone -e -a", ["write"], target=zfs) == {"write": ("cached", "fits_in_memory")}
    zfs["extra"] = {"file_system": {"sync": "standard"}}
    assert of_command(owner, "iozone -e -a", ["write"], target=zfs) == {"write": ("device", "flushed")}


def test_a_synchronous_mount_writes_at_once(owner: User) -> None:
    mounted = storage("ext4", DISK, mount={"options": ["rw", "sync"]})
    assert of_command(owner, "iozone -a", ["write"], target=mounted) == {"write": ("device", "flushed")}


def test_a_limit_of_a_control_group_may_be_full_of_unwritten_data(owner: User) -> None:
    content = document(results=[measured("write", 8 * GIB)])  # 32 GiB on 8 GiB, then on a limit of 4 GiB
    assert [each.verdict for each in _caches(owner, content)] == ["device"]
    content = document(results=[measured("write", 8 * GIB)])
    content["environment"]["memory"]["usable"] = 4 * GIB
    assert [each.verdict for each in _caches(owner, content)] == ["mixed"]


def _caches(owner: User, content: dict[str, Any]) -> list[Any]:
    run = store_run(owner, content)
    return caches(results_of(run), {run.id: run})


def reads(test: str, *mean_and_sd: float, n: int = 10, **fields: Any) -> dict[str, Any]:
    mean, sd = mean_and_sd
    sizes = {"file_size": 16 * GIB, "record_size": 8 * MIB}
    return result(None, test, summary={"n": n, "mean": mean * KIB, "sd": sd * KIB}, **{**sizes, **fields})


# ext4 in table 7 of the iozone article; the caches were emptied before each test.
TABLE_7 = [
    reads("read", 97985.4, 40.32),
    reads("random_read", 98299.9, 195.36),
    reads("backward_read", 108635.4, 159.98),
    reads("strided_read", 100060.9, 128.50),
]
EMPTIED = {"cache_emptied": True}


def test_reads_that_cannot_come_from_the_device_say_so(owner: User) -> None:
    found = _caches(owner, document(results=[{**each, "evidence": EMPTIED} for each in TABLE_7]))
    assert [(each.verdict, each.reason) for each in found] == [
        ("device", "dropped"),
        ("device", "dropped"),
        ("unknown", "faster_than"),
        ("device", "dropped"),
    ]
    assert found[2].text == (
        "This test was 1.11 times as fast as read in the same run. Both cannot have come from the device, so a cache "
        "may have served part of this test."
    )
    assert found[2].numbers == {"ratio": pytest.approx(108635.4 / 97985.4)}


def test_what_is_partly_cached_by_its_size_stays_so(owner: User) -> None:
    found = _caches(owner, document(results=TABLE_7))
    assert [(each.verdict, each.reason) for each in found] == [
        ("unknown", "memory_may_hold"),
        ("mixed", "partly_in_memory"),
        ("mixed", "faster_than"),
        ("mixed", "partly_in_memory"),
    ]


def test_bytes_of_the_device_say_more_than_a_comparison(owner: User) -> None:
    seen = {"device_read_bytes": 16 * GIB, "logical_bytes": 16 * GIB}
    found = _caches(owner, document(results=[{**each, "evidence": seen} for each in TABLE_7]))
    assert {(each.verdict, each.reason) for each in found} == {("device", "device_bytes")}


def test_a_contradiction_does_not_depend_on_what_is_selected(owner: User) -> None:
    run = store_run(owner, document(results=[{**each, "evidence": EMPTIED} for each in TABLE_7]))
    selected = stored([run.pk], {"test": ["backward_read"]})
    assert [each.verdict for each in caches(selected, {run.id: run})] == ["unknown"]


@pytest.mark.parametrize(
    "other",
    [{"record_size": 4 * MIB}, {"file_size": 8 * GIB}, {"threads": 2}, {"params": {"stride_records": 5}}],
    ids=["records", "file", "threads", "parameters"],
)
def test_only_reads_of_the_same_file_are_compared(owner: User, other: dict[str, Any]) -> None:
    results = [reads("read", 97985.4, 40.32), reads("backward_read", 108635.4, 159.98, **other)]
    found = _caches(owner, document(results=[{**each, "evidence": EMPTIED} for each in results]))
    assert [each.verdict for each in found] == ["device", "device"]


def test_a_single_process_has_moved_its_own_file(owner: User) -> None:
    """iozone's throughput mode: the sum over the processes, and the slowest one."""
    results = [
        result([1e8] * 3, "write", file_size=MIB, record_size=64 * KIB, threads=64, params=params)
        for params in ({}, {"view": "parent"}, {"view": "min"}, {"view": "child", "child": 1})
    ]
    run = store_run(owner, document(results=results))
    ticks = [each.ticks for each in clocks(results_of(run), {run.id: run})]
    assert ticks == pytest.approx([64 * MIB / 100, 64 * MIB / 100, MIB / 100, MIB / 100])
