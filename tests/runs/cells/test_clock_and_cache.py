"""The basis of cache verdicts: files shared by threads, synchronous writes, bytes moved by the device."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from benchdb.runs.cells.clock_and_cache import caches
from benchdb.runs.queries import measured as stored
from benchdb.runs.queries import results_of
from tests.support.documents import GIB, MIB, document, result
from tests.support.store import store_run


def verdicts(owner: User, measured: dict[str, Any], **parameters: Any) -> list[tuple[str, str | None]]:
    """(verdict, reason) of a run of fsload on a machine with 8 GiB; `measured` is its only result."""
    content = document(results=[measured], protocol={**document()["protocol"], "cache": "uncontrolled"})
    content["workload"] = {"tool": "fsload", "tool_version": "0.2.0", "command": ["fsload"], "parameters": parameters}
    run = store_run(owner, content)
    return [(each.verdict, each.reason) for each in caches(results_of(run), {run.id: run})]


def measured(test: str, file_size: int, **fields: Any) -> dict[str, Any]:
    return result([1e8] * 3, test, file_size=file_size, record_size=MIB, threads=4, **fields)


def test_files_of_all_threads_count_unless_they_share_one(owner: User) -> None:
    assert verdicts(owner, measured("read", 4 * GIB)) == [("device", "larger_than_memory")]
    assert verdicts(owner, measured("read", 4 * GIB), shared_file=True) == [("cached", "fits_in_memory")]


@pytest.mark.parametrize("sync", ["dsync", "sync"])
def test_synchronous_writes_reach_the_device(owner: User, sync: str) -> None:
    assert verdicts(owner, measured("write", MIB), sync=sync) == [("device", "flushed")]
    assert verdicts(owner, measured("write", MIB), sync="none") == [("cached", "fits_in_memory")]


def test_caches_that_were_emptied_before_a_test_hold_nothing_of_its_file(owner: User) -> None:
    """A run of many tests, because its cache regime does not say which of them found the caches empty."""
    results = [measured("read", MIB, evidence={"cache_emptied": True}), measured("reread", MIB)]
    content = document(results=results, protocol={**document()["protocol"], "cache": "cold"})
    run = store_run(owner, content)
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
