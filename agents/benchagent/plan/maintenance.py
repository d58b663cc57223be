"""The workload `maintenance`: what is done to a file system between two uses. The agent does it without a tool."""

from __future__ import annotations

from benchagent.toml.converters import Converter, count, one_of, set_of
from benchagent.toml.quantities import parse_size
from benchagent.toml.tables import Parameters, TomlTable

MAINTENANCE = "maintenance"  # its name in place of a tool's
MAINTENANCE_TESTS = ("raw_read", "remount", "fsck_clean", "fsck_forced", "fsck_dirty")
PARAMETERS: dict[str, Converter] = {
    "tests": set_of(one_of(MAINTENANCE_TESTS)),  # all if absent
    "fill": parse_size,  # bytes of files on the file system meanwhile; none if absent
    "file_size": parse_size,
    "files_per_directory": count,
}


def read_maintenance(table: TomlTable) -> Parameters:
    """The parameters of one workload; faults go into the table."""
    parameters = table.read_all(PARAMETERS)
    fill, file_size = parameters.get("fill"), parameters.get("file_size", 1)
    if fill is None and {"file_size", "files_per_directory"} & parameters.keys():
        table.fault("fill", "how many bytes the files hold together, where they are described")
    if isinstance(fill, int) and isinstance(file_size, int) and file_size > fill:
        table.fault("file_size", "no more than fill")
    return parameters
