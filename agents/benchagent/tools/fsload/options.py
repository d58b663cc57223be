"""fsload's commands, each with the parameters that a plan may give it.

A parameter has the name of the command's option, with underscores; `command_line.py` turns one into the other. fsload
itself decides which options may be combined, and refuses other combinations before it starts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchagent.formats.vocabulary import IOZONE_STDIO_TESTS, IOZONE_TESTS
from benchagent.toml.converters import any_size, archive, flag, number, one_of, real, set_of, text_file
from benchagent.toml.quantities import parse_duration, parse_size
from benchagent.toml.tables import Converter, Parameters, TomlTable

DEFAULT = "sweep"  # the command of a workload that names none
_SIZES = set_of(parse_size)


@dataclass(frozen=True)
class FsloadCommand:
    """`argument` is the parameter that follows the command without an option's name."""

    parameters: Mapping[str, Converter]
    required: tuple[str, ...] = ()
    argument: str | None = None


ENGINES = ("sync", "io_uring")
_THREADS = number(1, 1024)
_ENTRIES = number(1, 100_000_000)
METADATA_TESTS = (
    "file_create",
    "file_walk",
    "file_remove",
    "directory_create",
    "directory_walk",
    "directory_remove",
    "data_create",
    "data_remove",
    "source_unpack",
    "source_read",
    "source_stat",
    "source_archive",
    "source_remove",
)


# The duration, in place of that in the file.
_BOUNDS: dict[str, Converter] = {"seconds": parse_duration, "operations": number(0, 2**40)}
# The end of a run before its time.
_STEADY: dict[str, Converter] = {"steady_state": flag}

COMMON: dict[str, Converter] = {
    "compressibility": number(0, 100),  # percent
    "interactive": real(10_000),  # small jobs per second beside the workload
    "no_latencies": flag,
}

COMMANDS: dict[str, FsloadCommand] = {
    "sweep": FsloadCommand(
        {
            "file_sizes": _SIZES,
            "record_sizes": _SIZES,
            "tests": set_of(one_of(IOZONE_TESTS)),
            "threads": _THREADS,
            "shared_file": flag,
            "method": one_of(("read_write", "positional", "mmap")),
            "engine": one_of(ENGINES),
            "depth": number(1, 16384),
            "batch": number(1, 16384),  # records that one call of io_uring submits and waits for
            "registered": flag,  # file and memory, with io_uring
            "rate": real(10_000_000),  # operations per second of each thread
            "arrivals": one_of(("even", "poisson")),
            **_BOUNDS,
            **_STEADY,
            "stride": number(2, 2**32 - 1),  # records
            "fsync": flag,  # inside the measured time, as close is
            "close": flag,
            "direct": flag,
            "sync": one_of(("none", "dsync", "sync")),
            "advice": one_of(("none", "normal", "sequential", "random", "noreuse", "willneed", "dontneed")),
            "preallocate": flag,
            "verify": flag,
            "same_record": flag,  # as iozone writes
        },
        required=("file_sizes", "record_sizes"),
    ),
    "mix": FsloadCommand(
        {"profile": text_file, **_BOUNDS, **_STEADY, "max_bytes": any_size, "threads": _THREADS}, argument="profile"
    ),
    "wml": FsloadCommand({"file": text_file, **_BOUNDS, **_STEADY}, argument="file"),
    "tree": FsloadCommand(
        {
            "levels": number(0, 100),
            "directories": number(1, 1_000_000),
            "files": number(0, 1_000_000),
            "file_size": any_size,
            "block_size": parse_size,
            "threads": _THREADS,
            "fsync": flag,  # each file
        }
    ),
    "metadata": FsloadCommand(
        {
            "tests": set_of(one_of(METADATA_TESTS)),
            "files": _ENTRIES,
            "directories": _ENTRIES,
            "split": number(1, 10_000),  # directories that hold the directories
            "data_files": _ENTRIES,
            "data_size": parse_size,
            "block_size": parse_size,
            "tar": archive,  # the source tree, else one is made from the seed
            "source_files": number(1, 1_000_000),
            "source_median": parse_size,
            "control_files": flag,
            "fsync": flag,
        }
    ),
    "bulk": FsloadCommand(
        {
            "total_size": parse_size,
            "file_size": parse_size,
            "files_per_directory": _ENTRIES,
            "block_size": parse_size,
            "fsync": flag,
            "flush_multiple": real(1_000),  # of the caches' size, written before the files are deleted
            "controller_cache": any_size,
        },
        required=("total_size",),
    ),
    "age": FsloadCommand(
        {
            "profile": one_of(("desktop", "developer", "mail")),
            "size_distribution": text_file,  # distributions that replace the profile's
            "age_distribution": text_file,
            "directory_distribution": text_file,
            "fullness": real(1),
            "overwrites": real(1_000_000),
            "capacity": parse_size,
            "fallocate": flag,
            "report_distributions": flag,
        }
    ),
    "layout": FsloadCommand({}),
}


# The aging of a target: a profile's name and numbers. Files beside the plan belong to workloads.
AGE: dict[str, Converter] = {
    key: convert
    for key, convert in COMMANDS["age"].parameters.items()
    if convert not in (text_file, archive) and key != "report_distributions"
}


def command_of(parameters: Parameters) -> str:
    """The name of the command; a workload without one is a sweep, the only command of the first version."""
    return str(parameters.get("command", DEFAULT))


def read(table: TomlTable) -> Parameters:
    """The parameters of one workload; faults go into the table."""
    name = table.read("command", one_of(tuple(COMMANDS)))
    command = COMMANDS[name or DEFAULT]
    for key in (*command.required, *([command.argument] if command.argument else [])):
        table.require(key)
    parameters = table.read_all({**command.parameters, **COMMON})
    if command is COMMANDS[DEFAULT]:
        _check_sizes(table, parameters)
        _check_engine(table, parameters)
    return {"command": name, **parameters} if name not in (None, DEFAULT) else parameters


def _check_sizes(table: TomlTable, parameters: Parameters) -> None:
    """Add faults for records that do not fill a file; those larger than the file are skipped."""
    files, records = parameters.get("file_sizes"), parameters.get("record_sizes")
    pairs = [(f, r) for f in files for r in records] if isinstance(files, list) and isinstance(records, list) else []
    if any(isinstance(f, int) and isinstance(r, int) and r <= f and f % r for f, r in pairs):
        table.fault("file_sizes", "multiples of each record size that is not larger")


def _check_engine(table: TomlTable, parameters: Parameters) -> None:
    """Add faults for parameters that need io_uring or a rate, as fsload itself would find."""
    ring, paced = parameters.get("engine") == "io_uring", bool(parameters.get("rate"))
    for name in ("depth", "batch", "registered"):
        if name in parameters and not ring:
            table.fault(name, "engine = 'io_uring' beside it")
    depth, batch = parameters.get("depth", 1), parameters.get("batch", 1)
    if isinstance(depth, int) and isinstance(batch, int) and batch > depth and ring:
        table.fault("batch", f"at most the depth, {depth}")
    if ring and parameters.get("method", "read_write") != "read_write":
        table.fault("method", "read_write beside engine = 'io_uring', which has calls of its own")
    tests = parameters.get("tests")
    if ring and isinstance(tests, list) and (stdio := {*IOZONE_STDIO_TESTS} & {*map(str, tests)}):
        table.fault("tests", f"no {' and no '.join(sorted(stdio))} with io_uring, which has no such calls")
    if "arrivals" in parameters and not paced:
        table.fault("arrivals", "a rate beside it")
    if paced and parameters.get("method") == "mmap":
        table.fault("rate", "a method with calls; mmap has none that could arrive")
    for name in ("seconds", "operations"):
        if name in parameters and not (ring or paced):
            table.fault(name, "a rate or engine = 'io_uring' beside it")
    if parameters.get("steady_state") and "seconds" not in parameters:
        table.fault("steady_state", "seconds beside it, the longest time of a test")


def has_test(parameters: Parameters, test: str) -> bool:
    """Whether a sweep without a list of tests has this one: io_uring has no calls for those of stdio."""
    return parameters.get("engine") != "io_uring" or test not in IOZONE_STDIO_TESTS


def files(parameters: Parameters) -> dict[str, bool]:
    """The parameters that name files; True for a text, False for an archive."""
    command = COMMANDS[command_of(parameters)]
    kinds = {key: command.parameters[key] for key in parameters if key in command.parameters}
    return {key: kind is text_file for key, kind in kinds.items() if kind in (text_file, archive)}
