"""bonnie++: one large file by characters and blocks, then many small files. Its CSV line is what is read."""

from __future__ import annotations

from benchagent.system.programs import find_program
from benchagent.toml.tables import Parameters

from .base import Context, Tool

MIB = 1024**2
MACHINE = "benchagent"  # stands for the host's own name, which bonnie++ would print; the same on every machine


def arguments(parameters: Parameters, context: Context) -> list[str]:
    found = ["-q", "-d", ".", "-m", MACHINE]  # -q: the CSV line is all of standard output
    if context.root:
        found += ["-u", "root"]  # bonnie++ does not run as root unless told so
    if "memory" in parameters:
        found += ["-r", str(_number(parameters, "memory") // MIB)]
    found += ["-s", _file_size(parameters)]
    found += ["-n", _files(parameters)]
    if not parameters.get("char_tests", True):
        found.append("-f")
    if parameters.get("fsync"):
        found.append("-b")
    return found


def _file_size(parameters: Parameters) -> str:
    """`SIZE[:CHUNK]`; 0 leaves the tests of the large file out."""
    size = f"{_number(parameters, 'file_size') // MIB}M" if "file_size" in parameters else "0"
    return f"{size}:{_number(parameters, 'chunk_size')}" if "chunk_size" in parameters else size


def _files(parameters: Parameters) -> str:
    """`NUMBER[:MAX:MIN[:DIRECTORIES]]`, the number in units of 1024; 0 leaves the tests of small files out."""
    if "files" not in parameters:
        return "0"
    parts = [_number(parameters, "files") // 1024, _number(parameters, "max_size"), _number(parameters, "min_size")]
    if "directories" in parameters:  # bonnie++ 2.00 divides by it, so there is no number for "none"
        parts.append(_number(parameters, "directories"))
    return ":".join(str(part) for part in parts)


def _number(parameters: Parameters, key: str) -> int:
    value = parameters.get(key, 0)
    return value if isinstance(value, int) else 0


TOOL = Tool(
    name="bonnie++",
    program="bonnie++",
    source="Debian package: bonnie++",
    artifact="bonnie.csv",
    arguments=arguments,
    find=lambda: find_program("bonnie++"),
)
