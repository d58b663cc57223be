"""Small workloads of the tools, their real runs, and which tests' work each parameter changes."""

import os
import subprocess
from pathlib import Path

from benchagent import formats
from benchagent.formats.model import Result
from benchagent.formats.vocabulary import IOZONE_STDIO_TESTS
from benchagent.plan.maintenance import MAINTENANCE
from benchagent.toml.tables import Parameters
from benchagent.tools import CommandContext, Tool
from tests.agents.tools.identities import Affected

KIB, MIB, GIB = 2**10, 2**20, 2**30
FILES = ("mix", "wml", "archive.tar", "other.tar", "size.txt", "age.txt", "directory.txt")

PROFILE = """num_filesystems=1
num_threadgroups=1
directio=0
time=1
[filesystem0]
location=/mnt
num_files=4
num_dirs=2
min_filesize=4096
max_filesize=4096
[end0]
[threadgroup0]
num_threads=1
read_weight=1
append_weight=1
read_size=4096
read_blocksize=4096
write_size=4096
write_blocksize=4096
[end0]
"""
MODEL = """define fileset name=small,path=/tmp,entries=20,filesize=1k,prealloc
define process name=reader,instances=1
{
  thread name=readers,memsize=1m,instances=2
  {
    flowop openfile name=open,filesetname=small,fd=1
    flowop readwholefile name=read,fd=1
    flowop closefile name=close,fd=1
  }
}
"""
# A small workload of each command of fsload.
BASES: dict[str, Parameters] = {
    "sweep": {"file_sizes": [MIB], "record_sizes": [64 * KIB], "threads": 2},
    "mix": {"profile": "mix", "operations": 20},
    "wml": {"file": "wml", "operations": 20},
    "tree": {"levels": 1, "directories": 2, "files": 2},
    "metadata": {"files": 10, "directories": 10, "data_files": 3, "source_files": 10},
    "bulk": {"total_size": MIB, "file_size": 64 * KIB, "flush_multiple": 0},
    "age": {"capacity": 16 * MIB, "overwrites": 1, "fullness": 0.5},
    "layout": {},
}


def all_tests(_test: str) -> bool:
    return True


def of(*beginnings: str) -> Affected:
    return lambda test: test.startswith(beginnings)


def creates(test: str) -> bool:
    return test.endswith(("_create", "_unpack", "_archive")) or test == "create"


# The tests whose work a parameter changes, if it is not that of all tests.
AFFECTED: dict[tuple[str, str], Affected] = {
    ("sweep", "method"): lambda test: test not in IOZONE_STDIO_TESTS,
    ("sweep", "stride"): of("strided_read"),
    ("sweep", "fsync"): lambda test: test.endswith("write"),
    ("sweep", "sync"): lambda test: test.endswith("write"),
    ("tree", "files"): of("file_"),
    ("tree", "file_size"): of("file_"),
    ("tree", "block_size"): of("file_"),
    ("tree", "fsync"): of("file_create"),
    ("metadata", "files"): of("file_"),
    ("metadata", "directories"): of("directory_"),
    ("metadata", "split"): of("directory_"),
    ("metadata", "data_files"): of("data_"),
    ("metadata", "data_size"): of("data_"),
    ("metadata", "block_size"): of("data_"),
    **{("metadata", name): of("source_") for name in ("tar", "source_files", "source_median", "control_files")},
    ("metadata", "fsync"): lambda test: creates(test) and not test.startswith("directory_"),
    ("bulk", "fsync"): of("create"),
    ("bulk", "flush_multiple"): of("delete"),
    **{
        ("bonnie++", name): of("seq_", "random_create", "random_stat", "random_delete")
        for name in ("files", "max_size", "min_size", "directories")
    },
    ("bonnie++", "chunk_size"): of("char_", "block_", "random_seek"),
    ("bonnie++", "file_size"): of("char_", "block_", "random_seek"),
    ("bonnie++", "fsync"): lambda test: not test.endswith(("_read", "_stat")),
    **{(MAINTENANCE, name): of("fsck", "remount") for name in ("fill", "file_size", "files_per_directory")},
}


def affected_by(command: str, parameter: str) -> Affected:
    return AFFECTED.get((command, parameter), all_tests)


def work_of(tool: Tool, command: str, parameters: Parameters) -> Parameters:
    """The parameters that describe the work; those of a tool without commands get its name as the command."""
    kept = {
        name: value for name, value in parameters.items() if name not in tool.no_work and not name.endswith("_sha256")
    }
    return {**kept, "command": command}


def run(program: Path, tool: Tool, parameters: Parameters, folder: Path) -> tuple[Result, ...]:
    """The results of one real run in `folder`, read as the agent reads them."""
    context = CommandContext(seed=1, root=os.geteuid() == 0, files={name: str(folder / name) for name in FILES})
    done = subprocess.run(
        [program, *tool.arguments(parameters, context)], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return tuple(tool.completed(formats.parse(done.stdout, tool.name), parameters).results)
