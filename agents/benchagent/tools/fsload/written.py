"""The bytes that fsload's commands write in one round, and the time that they take by their own parameters."""

from __future__ import annotations

from benchagent.formats.vocabulary import IOZONE_TESTS
from benchagent.toml.tables import Parameters
from benchagent.tools.values import names, number, sizes, swept_bytes

from .options import command_of, has_test

KIB = 2**10
# fsload's own defaults.
TREE = {"levels": 4, "directories": 10, "files": 10, "file_size": 40 * KIB, "threads": 1}
FLUSHED = 2.0  # of the memory, between bulk's create and delete


def bytes_written(parameters: Parameters, memory: int | None) -> int | None:
    """Bytes that a workload writes; None for commands that a time or a file beside the plan ends.

    `memory` is the capacity of the caches in bytes.
    """
    command = command_of(parameters)
    if command == "sweep":
        if "seconds" in parameters or "operations" in parameters:
            return None
        return swept_bytes(
            parameters, sizes(parameters, "file_sizes"), sizes(parameters, "record_sizes"), _tests(parameters)
        )
    if command == "tree":
        return _tree(parameters)
    if command == "bulk":
        return _bulk(parameters, memory)
    return 0 if command == "layout" else None


def seconds(parameters: Parameters) -> float | None:
    """The time of all tests of a sweep with a time or a rate, or of another command with a time; else None."""
    each, rate = parameters.get("seconds"), parameters.get("rate")
    if command_of(parameters) != "sweep" or not (each or rate):
        return float(each) if isinstance(each, (int, float)) else None
    files, records = sizes(parameters, "file_sizes"), sizes(parameters, "record_sizes")
    pairs = [file // record for file in files for record in records if record <= file]  # records of each test
    if isinstance(each, (int, float)) and each:
        return float(each) * len(pairs) * len(_tests(parameters))
    operations = [number(parameters, "operations") or records_of_test for records_of_test in pairs]
    return sum(operations) / float(str(rate)) * len(_tests(parameters))


def _tests(parameters: Parameters) -> list[str]:
    """The tests of a sweep."""
    return names(parameters, "tests") or [test for test in IOZONE_TESTS if has_test(parameters, test)]


def _tree(parameters: Parameters) -> int:
    levels, directories, files, size, threads = (number(parameters, key, default) for key, default in TREE.items())
    directory_count: int = sum(directories**level for level in range(levels + 1))
    return directory_count * files * size * threads


def _bulk(parameters: Parameters, memory: int | None) -> int | None:
    multiple = parameters.get("flush_multiple", FLUSHED)
    flushed = 0
    if isinstance(multiple, (int, float)) and multiple:
        if memory is None:
            return None
        flushed = int(multiple * (memory + number(parameters, "controller_cache")))
    return number(parameters, "total_size") + flushed
