"""How many bytes a workload writes in one round, told from its parameters alone; for `benchagent plan check`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Callable

from benchagent.formats.vocabulary import IOZONE_TESTS
from benchagent.plan.fsload import DEFAULT
from benchagent.plan.model import PREPARATION, Workload
from benchagent.toml.tables import Parameters
from benchagent.tools.base import names, sizes
from benchagent.tools.iozone import GROUPS

KIB, MIB = 2**10, 2**20
WRITING = frozenset({"write", "rewrite", "random_write", "record_rewrite", "fwrite", "frewrite"})
# What iozone's -a and fsload take where a plan says nothing else.
AUTO_FILES, AUTO_RECORDS = (64 * KIB, 512 * MIB), (4 * KIB, 16 * MIB)
AUTO_LARGE_FILE, AUTO_SMALL_RECORD = 32 * MIB, 64 * KIB  # for files this large -a leaves smaller records out
TREE = {"levels": 4, "directories": 10, "files": 10, "file_size": 40 * KIB, "threads": 1}
FLUSHED = 2.0  # of the memory, between bulk's create and delete


def bytes_written(workload: Workload, memory: int | None) -> int | None:
    """Bytes that the tool writes to its files; None where it depends on the time or on files beside the plan.

    `memory` is what caches can hold, in bytes. File systems write more: journals, tables, copies.
    """
    kind = workload.tool
    if kind == "fsload":
        kind = str(workload.parameters.get("command", DEFAULT))
    count = _COUNTS.get(kind)
    return count(workload.parameters, memory) if count else None


def _sweep(parameters: Parameters, _memory: int | None) -> int:
    tests = names(parameters, "tests") or list(IOZONE_TESTS)
    return _sized(parameters, sizes(parameters, "file_sizes"), sizes(parameters, "record_sizes"), tests)


def _iozone(parameters: Parameters, _memory: int | None) -> int:
    """iozone measures whole groups: who asks for `random_read` gets `random_write` with it."""
    groups = {GROUPS[test] for test in names(parameters, "tests") or GROUPS}
    tests = [test for test, group in GROUPS.items() if group in groups]
    if not parameters.get("auto"):
        records = sizes(parameters, "record_sizes") or [4 * KIB]
        return _sized(parameters, sizes(parameters, "file_sizes"), records, tests)
    files = sizes(parameters, "file_sizes") or _doubled(parameters, "file", AUTO_FILES)
    named = sizes(parameters, "record_sizes")
    records = named or _doubled(parameters, "record", AUTO_RECORDS)
    total = 0
    for size in files:
        few = not named and size >= AUTO_LARGE_FILE
        total += _sized(parameters, [size], [each for each in records if not few or each >= AUTO_SMALL_RECORD], tests)
    return total


def _doubled(parameters: Parameters, what: str, usual: tuple[int, int]) -> list[int]:
    least, most = (sizes(parameters, f"{limit}_{what}_size") for limit in ("min", "max"))
    found = [(least or [usual[0]])[0]]
    while found[-1] * 2 <= (most or [usual[1]])[0]:
        found.append(found[-1] * 2)
    return found


def _sized(parameters: Parameters, files: Sequence[int], records: Sequence[int], tests: Sequence[str]) -> int:
    writing = sum(test in WRITING for test in tests)
    pairs = sum(size for size in files for record in records if record <= size)
    return pairs * writing * (1 if parameters.get("shared_file") else _number(parameters, "threads", 1))


def _bonnie(parameters: Parameters, _memory: int | None) -> int:
    """The large file by characters, by blocks and once more; small files in two orders."""
    passes = 3 if parameters.get("char_tests", True) else 2
    mean = (_number(parameters, "max_size", 0) + _number(parameters, "min_size", 0)) / 2
    return _number(parameters, "file_size", 0) * passes + int(_number(parameters, "files", 0) * mean) * 2


def _tree(parameters: Parameters, _memory: int | None) -> int:
    levels, directories, files, size, threads = (_number(parameters, key, usual) for key, usual in TREE.items())
    made: int = sum(directories**level for level in range(levels + 1))
    return made * files * size * threads


def _bulk(parameters: Parameters, memory: int | None) -> int | None:
    multiple = parameters.get("flush_multiple", FLUSHED)
    flushed = 0
    if isinstance(multiple, (int, float)) and multiple:
        if memory is None:
            return None
        flushed = int(multiple * (memory + _number(parameters, "controller_cache", 0)))
    return _number(parameters, "total_size", 0) + flushed


def _maintenance(parameters: Parameters, _memory: int | None) -> int:
    return _number(parameters, "fill", 0)


def _number(parameters: Parameters, key: str, usual: int) -> int:
    value = parameters.get(key, usual)
    return value if isinstance(value, int) else usual


_COUNTS: dict[str, Callable[[Parameters, int | None], int | None]] = {
    "sweep": _sweep,
    "iozone": _iozone,
    "bonnie++": _bonnie,
    "tree": _tree,
    "bulk": _bulk,
    "maintenance": _maintenance,
    "layout": lambda parameters, memory: 0,
    PREPARATION: lambda parameters, memory: 0,  # a file system's own tables, little beside what is written into it
}
