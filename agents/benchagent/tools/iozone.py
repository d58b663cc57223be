"""iozone: file size × record size sweeps of thirteen tests."""

from __future__ import annotations

from benchagent.filesystems import find_program
from benchagent.tables import Parameters

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
FLAGS = {"auto": "-a", "fsync": "-e", "close": "-c", "direct": "-I"}


def arguments(parameters: Parameters, _context: Context) -> list[str]:
    found = [flag for key, flag in FLAGS.items() if parameters.get(key)]
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
    for group in sorted({GROUPS[test] for test in names(parameters, "tests")}):
        found += ["-i", str(group)]
    if "threads" in parameters:
        found += ["-t", str(parameters["threads"])]
    return found


TOOL = Tool(
    name="iozone",
    program="iozone",
    source="Debian package: iozone3, in non-free",
    artifact="iozone.txt",
    arguments=arguments,
    find=lambda: find_program("iozone"),
)
