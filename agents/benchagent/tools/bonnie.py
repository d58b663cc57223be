"""bonnie++: one large file by characters and blocks, then many small files. Its CSV line is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from benchagent.formats.bonnie.workload import with_parameters
from benchagent.formats.model import Parsed
from benchagent.formats.reading.command_options import command_options
from benchagent.system.programs import find_program
from benchagent.toml.converters import count, flag
from benchagent.toml.quantities import parse_size
from benchagent.toml.tables import Converter, Parameters, TomlTable

from .declaration import CommandContext, Switches, Tool, reader
from .values import number

MIB = 1024**2
CHUNK = 8192  # bonnie++'s default
MACHINE = "benchagent"  # printed in place of the host's own name; the same on every machine

NO_WORK = {
    "memory": "bonnie++ only checks the file size against it",
    "char_tests": "it selects results",
}

WITH_ARGUMENT = frozenset("cdglmnprsuxyzZ")
WRITING = frozenset({"char_write", "block_write", "block_rewrite"})

PARAMETERS: dict[str, Converter] = {
    "file_size": parse_size,
    "chunk_size": parse_size,
    "memory": parse_size,  # the machine's memory for bonnie++, which requires files of twice this size
    "files": count,  # a multiple of 1024
    "max_size": parse_size,
    "min_size": parse_size,
    "directories": count,
    "char_tests": flag,
    "fsync": flag,
}


def check(table: TomlTable, parameters: Parameters) -> None:
    """Add the faults of parameters that conflict or that bonnie++ cannot express."""
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
    chunk = parameters.get("chunk_size", CHUNK)
    if isinstance(chunk, int) and (chunk & (chunk - 1) or not 256 <= chunk <= 2**20):
        table.fault("chunk_size", "a power of two from 256 B to 1 MiB")
    for key in ("file_size", "memory"):
        size = parameters.get(key, MIB)
        if isinstance(size, int) and size % MIB:
            table.fault(key, "a whole number of MiB, bonnie++'s unit")


def arguments(parameters: Parameters, context: CommandContext) -> list[str]:
    """The arguments of one run. With `-q` the CSV line is all of standard output."""
    words = ["-q", "-d", ".", "-m", MACHINE]
    if context.root:
        words += ["-u", "root"]  # bonnie++ refuses to run as root without this option
    if "memory" in parameters:
        words += ["-r", str(number(parameters, "memory") // MIB)]
    words += ["-s", _file_size(parameters)]
    words += ["-n", _files(parameters)]
    if not parameters.get("char_tests", True):
        words.append("-f")
    if parameters.get("fsync"):
        words.append("-b")
    return words


def _file_size(parameters: Parameters) -> str:
    """`SIZE[:CHUNK]`; 0 omits the tests of the large file."""
    size = f"{number(parameters, 'file_size') // MIB}M" if "file_size" in parameters else "0"
    return f"{size}:{number(parameters, 'chunk_size')}" if "chunk_size" in parameters else size


def _files(parameters: Parameters) -> str:
    """`NUMBER[:MAX:MIN[:DIRECTORIES]]`, the number in units of 1024; 0 omits the tests of small files."""
    if "files" not in parameters:
        return "0"
    fields = [number(parameters, "files") // 1024, number(parameters, "max_size"), number(parameters, "min_size")]
    if "directories" in parameters:  # bonnie++ 2.00 divides by it, so there is no number for "none"
        fields.append(number(parameters, "directories"))
    return ":".join(str(field) for field in fields)


def bytes_written(parameters: Parameters, _memory: int | None) -> int:
    """Bytes of the large file, written by characters, by blocks and again; and of small files in two orders."""
    passes = 3 if parameters.get("char_tests", True) else 2
    mean = (number(parameters, "max_size") + number(parameters, "min_size")) / 2
    return number(parameters, "file_size") * passes + int(number(parameters, "files") * mean) * 2


def switches(command: Sequence[str], _parameters: Mapping[str, object], test: str) -> Switches:
    """The switches that apply to a test.

    -D adds O_DIRECT only if bonnie++ creates the file, which is then written by blocks; the tests that read it open it
    without. (Single characters cannot be written to it: bonnie++ 2.00 ends with "disk full" unless -f omits them.)
    bonnie++ closes its file inside the measured time, and calls fsync before, with and without -b.
    """
    given = command_options(command[1:], WITH_ARGUMENT, attached="f")
    return Switches(direct="D" in given and test == "block_write", flushed=test in WRITING)


def completed(parsed: Parsed, parameters: Mapping[str, object]) -> Parsed:
    """The results with chunk size and fsync, which the CSV line of 1.98 and later lacks.

    A plan that gives the file size and no chunk size has bonnie++'s default; without a plan the chunk is unknown.
    """
    default = {"chunk_size": CHUNK} if "file_size" in parameters else {}
    return replace(parsed, results=[with_parameters(result, {**default, **parameters}) for result in parsed.results])


TOOL = Tool(
    name="bonnie++",
    program="bonnie++",
    artifact="bonnie.csv",
    read=reader(PARAMETERS, check),
    arguments=arguments,
    find=lambda: find_program("bonnie++"),
    packages=("bonnie++",),
    bytes_written=bytes_written,
    no_work=NO_WORK,
    completed=completed,
    clock_resolution=1e-6,  # gettimeofday
    headline_tests=("block_write", "block_read"),
    stdio_tests=frozenset({"char_write", "char_read"}),
    switches=switches,
    rank=2,
)
