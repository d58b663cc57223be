"""iozone: file size × record size sweeps of thirteen tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchagent.formats.iozone.units import options_of
from benchagent.formats.model import Parsed
from benchagent.formats.vocabulary import IOZONE_STDIO_TESTS, IOZONE_TESTS
from benchagent.system.programs import find_program
from benchagent.toml.converters import count, flag, one_of, set_of
from benchagent.toml.quantities import parse_size
from benchagent.toml.tables import Converter, Parameters, TomlTable

from .declaration import CommandContext, Switches, Tool, reader
from .values import names, sizes, swept_bytes

KIB, MIB = 2**10, 2**20
PARAMETERS: dict[str, Converter] = {
    "auto": flag,  # iozone's own sweep over record sizes and, unless file_sizes is given, file sizes
    "min_file_size": parse_size,
    "max_file_size": parse_size,
    "min_record_size": parse_size,
    "max_record_size": parse_size,
    "file_sizes": set_of(parse_size),
    "record_sizes": set_of(parse_size),
    "tests": set_of(one_of(IOZONE_TESTS)),
    "threads": count,
    "fsync": flag,  # flush inside the measured time
    "close": flag,  # close inside the measured time
    "direct": flag,
}
NO_WORK = {
    "auto": "it selects sizes, and each is a size of its results",
    **dict.fromkeys(("min_file_size", "max_file_size", "min_record_size", "max_record_size"), "it selects sizes"),
    "file_sizes": "each size is the file size of its results",
    "record_sizes": "each size is the record size of its results",
    "tests": "it selects results; each test does the same work",
}
# iozone measures tests in groups; each test with the number of its group.
GROUPS = {
    "write": 0,
    "rewrite": 0,
    "read": 1,
    "reread": 1,
    "random_read": 2,
    "random_write": 2,
    "backward_read": 3,
    "record_rewrite": 4,
    "strided_read": 5,
    "fwrite": 6,
    "frewrite": 6,
    "fread": 7,
    "freread": 7,
}
# Throughput mode (-t) has no record rewrite but three more groups, which it runs unless groups are named.
NOT_BY_THREADS = 4
ONLY_BY_THREADS = (8, 9, 10)
FLAGS = {"auto": "-a", "fsync": "-e", "close": "-c", "direct": "-I"}
SYNCHRONOUS = {"o", "+D", "+r"}  # O_SYNC, O_DSYNC, O_RSYNC with O_SYNC
MAPPED = {"B", "D"}
# The options that parameters of plans and of iozone's own banner stand for.
OF_PARAMETERS = {"direct": "I", "fsync": "e", "sync": "o", "dsync": "+D", "read_sync": "+r", "mmap": "B"}
SIZES = {
    "min_file_size": "-n",
    "max_file_size": "-g",
    "min_record_size": "-y",
    "max_record_size": "-q",
    "file_sizes": "-s",
    "record_sizes": "-r",
}
# Defaults of -a, which omits small records for large files.
AUTO_FILES, AUTO_RECORDS = (64 * KIB, 512 * MIB), (4 * KIB, 16 * MIB)
AUTO_LARGE_FILE, AUTO_SMALL_RECORD = 32 * MIB, 64 * KIB


def check(table: TomlTable, parameters: Parameters) -> None:
    """Add the faults of parameters that conflict or that iozone cannot express."""
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
    for key in ("min_file_size", "max_file_size", "file_sizes", "min_record_size", "max_record_size", "record_sizes"):
        if any(size % KIB for size in sizes(parameters, key)):
            table.fault(key, "whole numbers of KiB, iozone's unit")
    tests = parameters.get("tests")
    if isinstance(tests, list) and "write" not in tests:
        table.fault("tests", "write among the tests; the others need its file")


def cold_fault(parameters: Parameters) -> str | None:
    """The fault of auto mode, during which the agent cannot empty the caches."""
    if parameters.get("auto"):
        return "file_sizes and record_sizes in place of auto; each cold test is an iozone of its own"
    return None


def arguments(parameters: Parameters, _context: CommandContext) -> list[str]:
    """The arguments of one run with all sizes and tests."""
    words = _flags(parameters)
    for key, option in SIZES.items():
        for size in sizes(parameters, key):
            words += [option, f"{size // KIB}k"]
    for group in _groups(parameters):
        words += ["-i", str(group)]
    if "threads" in parameters:
        words += ["-t", str(parameters["threads"])]
    return words


def cold(parameters: Parameters, _context: CommandContext) -> list[list[str]]:
    """One invocation for each pair of sizes and each group; `-w` keeps the file for the groups that follow."""
    files, records = sizes(parameters, "file_sizes"), sizes(parameters, "record_sizes")
    pairs = [(size, record) for size in files for record in records or [0] if record <= size]
    groups = _groups(parameters) or sorted(set(GROUPS.values()))
    threads = []
    if "threads" in parameters:
        threads = ["-t", str(parameters["threads"])]
        groups = [group for group in groups if group != NOT_BY_THREADS]
        groups += [] if _groups(parameters) else ONLY_BY_THREADS
    invocations = []
    for size, record in pairs:
        pair = ["-s", f"{size // KIB}k", *(["-r", f"{record // KIB}k"] if record else [])]
        for group in groups:
            keep = [] if group == groups[-1] else ["-w"]
            invocations.append([*_flags(parameters), *pair, "-i", str(group), *threads, *keep])
    return invocations


def _flags(parameters: Parameters) -> list[str]:
    return [flag for key, flag in FLAGS.items() if parameters.get(key)]


def _groups(parameters: Parameters) -> list[int]:
    return sorted({GROUPS[test] for test in names(parameters, "tests")})


def bytes_written(parameters: Parameters, _memory: int | None) -> int:
    """Bytes of whole groups: `random_read` includes `random_write`."""
    groups = _groups(parameters) or sorted(set(GROUPS.values()))
    tests = [test for test, group in GROUPS.items() if group in groups]
    if not parameters.get("auto"):
        records = sizes(parameters, "record_sizes") or [4 * KIB]
        return swept_bytes(parameters, sizes(parameters, "file_sizes"), records, tests)
    files = sizes(parameters, "file_sizes") or _doubled(parameters, "file", AUTO_FILES)
    given = sizes(parameters, "record_sizes")
    records = given or _doubled(parameters, "record", AUTO_RECORDS)
    large_records = given or [record for record in records if record >= AUTO_SMALL_RECORD]
    return sum(
        swept_bytes(parameters, [size], large_records if size >= AUTO_LARGE_FILE else records, tests) for size in files
    )


def _doubled(parameters: Parameters, what: str, limits: tuple[int, int]) -> list[int]:
    """The sizes of auto mode: each twice the previous one, within the given limits or these defaults."""
    least, most = (sizes(parameters, f"{limit}_{what}_size") for limit in ("min", "max"))
    doubled = [(least or [limits[0]])[0]]
    while doubled[-1] * 2 <= (most or [limits[1]])[0]:
        doubled.append(doubled[-1] * 2)
    return doubled


def logical_bytes(parsed: Parsed) -> int | None:
    """The file sizes of the tests in a table, each moved once.

    None in throughput mode, where all processes stop when the first is done.
    """
    table = [result for result in parsed.results if result.metric == "throughput" and result.threads is None]
    if len(table) < len(parsed.results):
        return None
    return sum((result.file_size or 0) * sum(value is not None for value in result.values) for result in table)


def switches(command: Sequence[str], parameters: Mapping[str, object], test: str) -> Switches:
    """The switches that apply to a test.

    The tests of stdio open their file by fopen: without O_DIRECT or O_SYNC, whatever the command line says. With -B or
    -D the other tests move their data in mapped memory, to which both do not apply; -G then waits for each record.
    """
    given = options_of(command[1:]).keys() | {flag for name, flag in OF_PARAMETERS.items() if parameters.get(name)}
    stdio = test in IOZONE_STDIO_TESTS
    mapped = not stdio and bool(given & MAPPED)
    return Switches(
        direct="I" in given and not stdio and not mapped,
        synchronous=not stdio and bool(given & ({"G"} if mapped else SYNCHRONOUS)),
        flushed="e" in given,
    )


TOOL = Tool(
    name="iozone",
    program="iozone",
    artifact="iozone.txt",
    read=reader(PARAMETERS, check),
    arguments=arguments,
    find=lambda: find_program("iozone"),
    packages=("iozone3",),
    debian_section="non-free",
    bytes_written=bytes_written,
    cold_fault=cold_fault,
    cold=cold,
    no_work=NO_WORK,
    logical_bytes=logical_bytes,
    usage_is_of_test=True,
    clock_resolution=1e-6,  # gettimeofday
    preferred=True,
    headline_tests=("write", "read", "random_read", "random_write"),
    stdio_tests=frozenset(IOZONE_STDIO_TESTS),
    switches=switches,
    rank=1,
)
