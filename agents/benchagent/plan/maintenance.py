"""The workload `maintenance`: checks, remounts and raw reads of a file system. The agent needs no tool for it."""

from __future__ import annotations

from benchagent.toml.converters import count, one_of, set_of
from benchagent.toml.quantities import parse_size
from benchagent.toml.tables import Converter, Parameters, TomlTable

MAINTENANCE = "maintenance"  # used as the tool's name
MAINTENANCE_TESTS = ("raw_read", "remount", "fsck_clean", "fsck_forced", "fsck_dirty")
PARAMETERS: dict[str, Converter] = {
    "tests": set_of(one_of(MAINTENANCE_TESTS)),  # all if absent
    "fill": parse_size,  # bytes of files on the file system during the tests; none if absent
    "file_size": parse_size,
    "files_per_directory": count,
}


def read_maintenance(table: TomlTable) -> Parameters:
    """The parameters of one workload; faults are added to the table."""
    parameters = table.read_all(PARAMETERS)
    fill, file_size = parameters.get("fill"), parameters.get("file_size", 1)
    if fill is None and {"file_size", "files_per_directory"} & parameters.keys():
        table.fault("fill", "how many bytes the files hold together, where they are described")
    if isinstance(fill, int) and isinstance(file_size, int) and file_size > fill:
        table.fault("file_size", "no more than fill")
    return parameters
