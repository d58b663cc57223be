"""The workloads a plan may name: each tool with its parameters and what they may be.

A plan, wherever it comes from, can ask for these and for nothing else; it can never bring a command.
"""

from __future__ import annotations

from typing import Callable

from benchagent.formats.vocabulary import IOZONE_TESTS
from benchagent.toml.quantities import parse_size
from benchagent.toml.tables import Converter, Parameters, Table, count, flag, one_of, set_of

from .fsload import fsload_files, read_fsload

_SIZES = set_of(parse_size)
MAINTENANCE_TESTS = ("raw_read", "remount", "fsck_clean", "fsck_forced", "fsck_dirty")

PARAMETERS: dict[str, dict[str, Converter]] = {
    "iozone": {
        "auto": flag,  # iozone's own sweep over record sizes and, unless file_sizes is given, file sizes
        "min_file_size": parse_size,
        "max_file_size": parse_size,
        "min_record_size": parse_size,
        "max_record_size": parse_size,
        "file_sizes": _SIZES,
        "record_sizes": _SIZES,
        "tests": set_of(one_of(IOZONE_TESTS)),
        "threads": count,
        "fsync": flag,  # flush inside the measured time
        "close": flag,  # close inside the measured time
        "direct": flag,
    },
    "bonnie++": {
        "file_size": parse_size,
        "chunk_size": parse_size,
        "memory": parse_size,  # what bonnie++ takes for the machine's memory; it wants files of twice that
        "files": count,  # a multiple of 1024
        "max_size": parse_size,
        "min_size": parse_size,
        "directories": count,
        "char_tests": flag,
        "fsync": flag,
    },
    # What is done to a file system between two uses; the agent does it itself.
    "maintenance": {
        "tests": set_of(one_of(MAINTENANCE_TESTS)),  # all where absent
        "fill": parse_size,  # what lies on the file system meanwhile; nothing where absent
        "file_size": parse_size,
        "files_per_directory": count,
    },
}
TOOLS = (*PARAMETERS, "fsload")


def read_parameters(table: Table, tool: str) -> Parameters:
    """The parameters of one workload, without those that are absent; faults are noted in the table."""
    if tool == "fsload":
        return read_fsload(table)
    parameters = table.read_all(PARAMETERS[tool])
    _CHECKS[tool](table, parameters)
    return parameters


def file_parameters(tool: str, parameters: Parameters) -> dict[str, bool]:
    """Which parameters name files beside the plan; True for a text, False for an archive."""
    return fsload_files(parameters) if tool == "fsload" else {}


def _check_iozone(table: Table, parameters: Parameters) -> None:
    if not parameters.get("auto") and "file_sizes" not in parameters:
        table.fault("file_sizes", "file sizes, or auto = true")
    for what in ("file", "record"):
        limits = {f"min_{what}_size", f"max_{what}_size"} & parameters.keys()
        if limits and f"{what}_sizes" in parameters:
            table.fault(f"{what}_sizes", "either a list of sizes or the limits of auto mode, not both")
        if limits and not parameters.get("auto"):
            table.fault(min(limits), "auto = true beside it; the limits are those of auto mode")
    if "threads" in parameters and parameters.get("auto"):
        table.fault("threads", "no threads together with auto; iozone's throughput mode takes file_sizes")
    _want_kib(table, parameters, "min_file_size", "max_file_size", "file_sizes")
    _want_kib(table, parameters, "min_record_size", "max_record_size", "record_sizes")
    _want_writing(table, parameters)


def _check_bonnie(table: Table, parameters: Parameters) -> None:
    if "file_size" not in parameters and "files" not in parameters:
        table.fault("file_size", "a file size, a number of files, or both")
    files = parameters.get("files", 1024)
    if isinstance(files, int) and files % 1024:
        table.fault("files", "a multiple of 1024, bonnie++'s unit")
    if {"max_size", "min_size", "directories"} & parameters.keys() and "files" not in parameters:
        table.fault("files", "a number of files, where their sizes or directories are given")
    smallest, largest = parameters.get("min_size", 0), parameters.get("max_size", 0)
    if isinstance(smallest, int) and isinstance(largest, int) and smallest > largest:
        table.fault("min_size", "no more than max_size")
    chunk = parameters.get("chunk_size", 8192)
    if isinstance(chunk, int) and (chunk & (chunk - 1) or not 256 <= chunk <= 2**20):
        table.fault("chunk_size", "a power of two from 256 B to 1 MiB")
    for key in ("file_size", "memory"):
        size = parameters.get(key, 2**20)
        if isinstance(size, int) and size % 2**20:
            table.fault(key, "a whole number of MiB, bonnie++'s unit")


def _check_maintenance(table: Table, parameters: Parameters) -> None:
    fill, file_size = parameters.get("fill"), parameters.get("file_size", 1)
    if fill is None and {"file_size", "files_per_directory"} & parameters.keys():
        table.fault("fill", "how many bytes the files hold together, where they are described")
    if isinstance(fill, int) and isinstance(file_size, int) and file_size > fill:
        table.fault("file_size", "no more than fill")


def _want_writing(table: Table, parameters: Parameters) -> None:
    """Every other test works on the file that `write` makes."""
    tests = parameters.get("tests")
    if isinstance(tests, list) and "write" not in tests:
        table.fault("tests", "write among the tests; the others need its file")


def _want_kib(table: Table, parameters: Parameters, *keys: str) -> None:
    for key in keys:
        value = parameters.get(key, 1024)
        sizes = value if isinstance(value, list) else [value]
        if any(isinstance(size, int) and size % 1024 for size in sizes):
            table.fault(key, "whole numbers of KiB, iozone's unit")


_CHECKS: dict[str, Callable[[Table, Parameters], None]] = {
    "iozone": _check_iozone,
    "bonnie++": _check_bonnie,
    "maintenance": _check_maintenance,
}
