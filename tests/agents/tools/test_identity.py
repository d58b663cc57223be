"""Results of different work have different identities: for every tool, parameter and shipped plan.

The tools run in small, with one parameter changed at a time. `AFFECTED` says which tests' work a parameter changes,
independently of the code that describes the work in results.
"""

from __future__ import annotations

import json
import os
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchagent import formats
from benchagent.formats.model import Result
from benchagent.formats.vocabulary import IOZONE_STDIO_TESTS
from benchagent.measuring.maintenance_tests import filled
from benchagent.plan.maintenance import MAINTENANCE, MAINTENANCE_TESTS
from benchagent.plan.model import Workload
from benchagent.plan.reading import load
from benchagent.planning.files import with_files
from benchagent.planning.shipped import shipped_plans
from benchagent.toml.tables import Parameters
from benchagent.tools import TOOLS, CommandContext, Tool
from benchagent.tools.fsload.options import COMMANDS, COMMON, DEFAULT
from tests.agents.tools.identities import Affected, Work, same_identities
from tests.agents.tools.parameters import PARAMETERS
from tests.support.invented_tool import NAME, invented_tool

KIB, MIB, GIB = 2**10, 2**20, 2**30
RAM = 8 * GIB
PROFILES_OF_AGE = Path(__file__).parents[3] / "agents" / "engine" / "profiles"

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
# Other contents of the files that a parameter names: each replaces the first text by the second.
PROFILES = [
    ("num_files=4", "num_files=5"),
    ("num_dirs=2", "num_dirs=1"),
    ("directio=0", "directio=1"),
    ("max_filesize=4096", "max_filesize=8192"),
    ("read_weight=1", "read_weight=2"),
    ("append_weight", "write_weight"),
    ("read_blocksize=4096", "read_blocksize=512"),
    ("write_blocksize=4096", "write_blocksize=512"),
    ("num_threads=1", "num_threads=2"),
    ("[end0]\n[thr", "init_size=1m\n[end0]\n[thr"),
    ("read_weight=1", "read_weight=1\nfsync_file=1"),
    ("read_size=4096", "read_random=1\nread_size=4096"),
    ("read_size=4096", "read_size=2048"),
    ("read_weight=1", "read_weight=1\nop_delay=1"),
]
MODELS = [
    ("entries=20", "entries=30"),
    ("filesize=1k", "filesize=2k"),
    ("prealloc", "prealloc=50"),
    ("prealloc", "prealloc,dirwidth=3"),
    ("instances=2", "instances=3"),
    (
        "    flowop closefile name=close,fd=1\n",
        "    flowop statfile name=s,filesetname=small\n    flowop closefile name=close,fd=1\n",
    ),
    ("name=read,fd=1", "name=read,fd=1,iosize=512"),
    ("readwholefile name=read,fd=1", "read name=read,fd=1,iosize=512"),
    ("readwholefile name=read,fd=1", "read name=read,fd=1,iosize=512,random"),
]

# Small workloads, and for each parameter of the command another value. `plan` names a file with other contents.
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
VARIED: dict[str, Parameters] = {
    "sweep": {
        "threads": 1,
        "shared_file": True,
        "method": "positional",
        "stride": 3,
        "fsync": True,
        "close": True,
        "direct": True,
        "sync": "dsync",
        "advice": "random",
        "preallocate": True,
        "verify": True,
        "same_record": True,
    },
    "mix": {"seconds": 0.1, "operations": 30, "max_bytes": 16 * MIB, "threads": 3},
    "wml": {"seconds": 0.1, "operations": 30},
    "tree": {
        "levels": 2,
        "directories": 3,
        "files": 3,
        "file_size": 8 * KIB,
        "block_size": 2 * KIB,
        "threads": 2,
        "fsync": True,
    },
    "metadata": {
        "files": 20,
        "directories": 20,
        "split": 2,
        "data_files": 4,
        "data_size": 8 * KIB,
        "block_size": 4 * KIB,
        "tar": "archive.tar",
        "source_files": 20,
        "source_median": 2 * KIB,
        "control_files": True,
        "fsync": True,
    },
    "bulk": {
        "total_size": 2 * MIB,
        "file_size": 128 * KIB,
        "files_per_directory": 4,
        "block_size": 4 * KIB,
        "fsync": True,
        "flush_multiple": 0.00001,
    },
    "age": {
        "profile": "mail",
        "size_distribution": "size.txt",
        "age_distribution": "age.txt",
        "directory_distribution": "directory.txt",
        "fullness": 0.6,
        "overwrites": 2,
        "capacity": 24 * MIB,
        "fallocate": True,
    },
    "layout": {},
}
COMMON_VARIED: Parameters = {"compressibility": 50, "interactive": 5.0}


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
        ("bonnie++", name): of("seq_", "random_c", "random_s", "random_d")
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


FILES = ("mix", "wml", "archive.tar", "other.tar", "size.txt", "age.txt", "directory.txt")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A directory with the files that the workloads name."""
    (tmp_path / "mix").write_text(PROFILE)
    (tmp_path / "wml").write_text(MODEL)
    for name in ("size", "age", "directory"):
        (tmp_path / f"{name}.txt").write_text((PROFILES_OF_AGE / "mail" / f"{name}.txt").read_text())
    with tarfile.open(tmp_path / "archive.tar", "w") as archive:
        archive.add(tmp_path / "mix", "a/mix")
    return tmp_path


def fsload_works(program: Path, folder: Path, command: str) -> Iterator[Work]:
    """The base of a command and its variations."""
    base, tool = BASES[command], TOOLS["fsload"]
    varied = [{}, *({name: value} for name, value in {**VARIED[command], **COMMON_VARIED}.items())]
    for change in varied if command != "layout" else [{}]:
        parameters = {**({} if command == DEFAULT else {"command": command}), **base, **change}
        results = run(program, tool, parameters, folder)
        yield Work(f"{command} {change}", work_of(tool, command, parameters), results)
    for old, new in {"mix": PROFILES, "wml": MODELS}.get(command, []):
        text = (folder / command).read_text()
        assert old in text
        (folder / command).write_text(text.replace(old, new, 1))
        parameters = {"command": command, **base}
        results = run(program, tool, parameters, folder)
        (folder / command).write_text(text)
        yield Work(f"{command} {new}", {**work_of(tool, command, parameters), "text": new}, results)


@pytest.mark.needs("cc", package="gcc")
def test_fsload(program: Path, folder: Path) -> None:
    works = [work for command in COMMANDS for work in fsload_works(program, folder, command)]
    assert same_identities(works, affected_by) == []
    assert {test for work in works for test in {result.test for result in work.results}} >= {"create", "flowops", "age"}


def test_every_parameter_is_varied_or_changes_no_work() -> None:
    for command, described in COMMANDS.items():
        parameters = described.parameters.keys() - TOOLS["fsload"].no_work.keys()
        assert parameters == VARIED[command].keys() | (parameters & {described.argument}), command
    assert COMMON.keys() - TOOLS["fsload"].no_work.keys() == COMMON_VARIED.keys()
    assert PARAMETERS["iozone"].keys() - TOOLS["iozone"].no_work.keys() == IOZONE.keys()
    assert PARAMETERS["bonnie++"].keys() - TOOLS["bonnie++"].no_work.keys() == BONNIE.keys()
    assert PARAMETERS[MAINTENANCE].keys() - {"tests"} == FILLED.keys()


IOZONE: Parameters = {"threads": 2, "fsync": True, "close": True, "direct": True}


@pytest.mark.needs("iozone", package="iozone3")
def test_iozone(folder: Path) -> None:
    tool, base = (
        TOOLS["iozone"],
        {"file_sizes": [64 * KIB], "record_sizes": [16 * KIB], "tests": ["write", "read", "fwrite"]},
    )
    works = []
    for change in ({}, *({name: value} for name, value in IOZONE.items())):
        parameters = {**base, **change}
        results = run(Path("iozone"), tool, parameters, folder)
        works.append(Work(f"iozone {change}", work_of(tool, tool.name, parameters), results))
    assert same_identities(works, affected_by) == []


BONNIE: Parameters = {
    "file_size": 4 * MIB,
    "chunk_size": 4 * KIB,
    "files": 2048,
    "max_size": 2048,
    "min_size": 1024,
    "directories": 3,
    "fsync": True,
}


@pytest.mark.needs("bonnie++", package="bonnie++")
def test_bonnie(folder: Path) -> None:
    """bonnie++ waits for three seconds in each test of a large file, so only what needs one has it."""
    tool = TOOLS["bonnie++"]
    large: Parameters = {"file_size": 2 * MIB, "memory": MIB, "chunk_size": 8 * KIB}
    small: Parameters = {"files": 1024, "max_size": 1024, "min_size": 512, "directories": 2}
    changes = [(large, name) for name in ("file_size", "chunk_size", "fsync")]
    changes += [(small, name) for name in (*small, "fsync")]
    works = []
    for base, change in [(large, {}), (small, {}), *((base, {name: BONNIE[name]}) for base, name in changes)]:
        parameters = {**base, **change, "char_tests": False}
        results = run(Path("bonnie++"), tool, parameters, folder)
        name = "large" if base is large else "small"
        works.append(Work(f"{name} {change}", work_of(tool, tool.name, parameters), results))
    assert same_identities(works, affected_by) == []


FILLED: Parameters = {"fill": 2 * MIB, "file_size": 64 * KIB, "files_per_directory": 10}


def test_maintenance() -> None:
    base: Parameters = {"fill": MIB, "file_size": 32 * KIB, "files_per_directory": 20}
    works = [maintained({}), maintained(base), *(maintained({**base, name: value}) for name, value in FILLED.items())]
    assert same_identities(works, affected_by) == []


def maintained(parameters: Parameters) -> Work:
    """Results as the agent makes them; only checks and remounts read what `fill` wrote."""
    results = [Result(test, "elapsed", "s", (1.0,), params=filled(parameters)) for test in MAINTENANCE_TESTS]
    return Work(f"{MAINTENANCE} {parameters}", {**parameters, "command": MAINTENANCE}, tuple(results))


@pytest.mark.needs("cc", package="gcc")
def test_shipped_plans(program: Path, folder: Path) -> None:
    """fsload prints the header of a workload of any size before it refuses to start; small runs give the results."""
    works: dict[str, Work] = {}
    for path in sorted(shipped_plans().glob("*.toml")):
        plan = with_files(load(path.read_text(), RAM), path.parent)
        for workload in plan.workloads:
            name = f"{path.stem} {workload.name}"
            if workload.tool == MAINTENANCE:
                works[name] = maintained({k: v for k, v in workload.parameters.items() if k != "tests"})
            if workload.tool != "fsload":
                continue
            command, results = str(workload.parameters.get("command", DEFAULT)), planned(program, folder, workload)
            works[name] = Work(name, work_of(TOOLS["fsload"], command, workload.parameters), results)
    assert same_identities(works.values(), affected_by) == []
    assert len(works) > 15


def planned(program: Path, folder: Path, workload: Workload) -> tuple[Result, ...]:
    """The results of a workload: the header of its own size, with the lines of a small real run."""
    tool, parameters = TOOLS["fsload"], workload.parameters
    command = str(parameters.get("command", DEFAULT))
    context = CommandContext(seed=1, root=False, files={file.name: file.path for file in workload.files})
    words = [program, *tool.arguments(parameters, context), "--min-free", "1000T"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == REFUSED, done.stderr
    header = json.loads(done.stdout.partition("\n")[0])
    lines = [as_planned(line, header["parameters"]) for line in small_lines(program, folder, command)]
    wanted = parameters.get("tests")
    kept = [line for line in lines if not isinstance(wanted, list) or line.get("test", "") in ["", *wanted]]
    text = "".join(json.dumps(line) + "\n" for line in (header, *kept))
    return tuple(tool.completed(formats.parse(text, tool.name), parameters).results)


def small_lines(program: Path, folder: Path, command: str) -> list[dict[str, Any]]:
    """The lines of a small real run without its header; the shipped profiles only create, and open, read and close."""
    (folder / "mix").write_text(PROFILE.replace("read_weight=1\nappend", "create"))
    context = CommandContext(seed=1, root=False, files={name: str(folder / name) for name in FILES})
    parameters: Parameters = {**({} if command == DEFAULT else {"command": command}), **BASES[command]}
    words = [program, *TOOLS["fsload"].arguments(parameters, context)]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()[1:]]


def as_planned(line: dict[str, Any], parameters: dict[str, Any]) -> dict[str, Any]:
    """A result line with the threads that the header has for it."""
    groups = parameters.get("mix", {}).get("groups", [])
    threads = groups[0]["threads"] if groups else parameters.get("threads")
    return {**line, "threads": threads} if threads and "threads" in line else line


REFUSED = 3  # exit status


def test_archives_of_one_name_are_told_apart_by_their_content(program: Path, folder: Path) -> None:
    tool = TOOLS["fsload"]
    parameters: Parameters = {"command": "metadata", **BASES["metadata"], "tar": "archive.tar"}
    results = run(program, tool, {**parameters, "tar_sha256": "a" * 64}, folder)
    others = run(program, tool, {**parameters, "tar_sha256": "b" * 64}, folder)
    works = [
        Work("one archive", {"command": "metadata", "tar": "one"}, results),
        Work("another archive", {"command": "metadata", "tar": "another"}, others),
    ]
    assert same_identities(works, affected_by) == []


def test_a_tool_that_hides_a_parameter_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The output of this tool does not show whether it went around the cache."""
    with invented_tool(tmp_path, monkeypatch) as tool:
        works = []
        for name, parameters in {
            "plain": {"file_size": MIB},
            "larger": {"file_size": 2 * MIB},
            "around the cache": {"file_size": MIB, "around_cache": True},
        }.items():
            results = run(tmp_path / "bin" / NAME, tool, parameters, tmp_path)
            works.append(Work(name, work_of(tool, NAME, parameters), results))
    assert same_identities(works, affected_by) == ["write of plain and around the cache"]
