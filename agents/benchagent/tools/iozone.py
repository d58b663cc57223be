"""iozone: file size × record size sweeps of thirteen tests."""

from __future__ import annotations

from benchagent.system.programs import find_program
from benchagent.toml.tables import Parameters

from .base import Context, Tool, names, sizes

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
# Throughput mode (-t) has no record rewrite, and three groups more, which it runs where no group is named.
NOT_BY_THREADS = 4
ONLY_BY_THREADS = (8, 9, 10)
FLAGS = {"auto": "-a", "fsync": "-e", "close": "-c", "direct": "-I"}


def arguments(parameters: Parameters, _context: Context) -> list[str]:
    found = _flags(parameters)
    for key, option in (
        ("min_file_size", "-n"),
        ("max_file_size", "-g"),
        ("min_record_size", "-y"),
        ("max_record_size", "-q"),
        ("file_sizes", "-s"),
        ("record_sizes", "-r"),
    ):
        for size in sizes(parameters, key):
            found += [option, f"{size // 1024}k"]
    for group in _groups(parameters):
        found += ["-i", str(group)]
    if "threads" in parameters:
        found += ["-t", str(parameters["threads"])]
    return found


def cold(parameters: Parameters, _context: Context) -> list[list[str]]:
    """One invocation for each pair of sizes and each group; the file is kept (-w) for the groups that come after."""
    files, records = sizes(parameters, "file_sizes"), sizes(parameters, "record_sizes")
    pairs = [(size, record) for size in files for record in records or [0] if record <= size]
    groups = _groups(parameters) or sorted(set(GROUPS.values()))
    threads = []
    if "threads" in parameters:
        threads = ["-t", str(parameters["threads"])]
        groups = [group for group in groups if group != NOT_BY_THREADS]
        groups += [] if _groups(parameters) else ONLY_BY_THREADS
    found = []
    for size, record in pairs:
        place = ["-s", f"{size // 1024}k", *(["-r", f"{record // 1024}k"] if record else [])]
        for group in groups:
            keep = [] if group == groups[-1] else ["-w"]
            found.append([*_flags(parameters), *place, "-i", str(group), *threads, *keep])
    return found


def _flags(parameters: Parameters) -> list[str]:
    return [flag for key, flag in FLAGS.items() if parameters.get(key)]


def _groups(parameters: Parameters) -> list[int]:
    return sorted({GROUPS[test] for test in names(parameters, "tests")})


TOOL = Tool(
    name="iozone",
    program="iozone",
    source="Debian package: iozone3, in non-free",
    artifact="iozone.txt",
    arguments=arguments,
    cold=cold,
    find=lambda: find_program("iozone"),
)
