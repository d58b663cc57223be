"""Results of different work have different identities: for every tool and parameter.

The tools run in small, with one parameter changed at a time. `AFFECTED` says which tests' work a parameter changes,
independently of the code that describes the work in results.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchagent.formats.model import Result
from benchagent.measuring.maintenance_tests import filled
from benchagent.plan.maintenance import MAINTENANCE, MAINTENANCE_TESTS
from benchagent.toml.tables import Parameters
from benchagent.tools import TOOLS
from benchagent.tools.fio.options import OF_TESTS
from benchagent.tools.fsload.options import COMMANDS, COMMON, DEFAULT
from tests.agents.tools.identities import Work, same_identities
from tests.agents.tools.parameters import PARAMETERS
from tests.agents.tools.works import BASES, KIB, MIB, affected_by, run, work_of
from tests.plugins.missing import available
from tests.support.invented_tool import NAME, invented_tool

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

# For each parameter of a command another value than in `BASES`.
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
        "engine": "io_uring",
        "depth": 2,
        "batch": 2,
        "registered": True,
        "rate": 50_000.0,
        "arrivals": "poisson",
        "seconds": 0.01,
        "operations": 8,
        "steady_state": True,
    },
    "mix": {"seconds": 0.1, "operations": 30, "max_bytes": 16 * MIB, "threads": 3, "steady_state": True},
    "wml": {"seconds": 0.1, "operations": 30, "steady_state": True},
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
# What a parameter of a sweep needs beside it.
_RING: Parameters = {"engine": "io_uring"}
BESIDE: dict[str, Parameters] = {
    **dict.fromkeys(("depth", "registered", "seconds", "operations"), _RING),
    "batch": {**_RING, "depth": 2},
    "arrivals": {"rate": 50_000.0},
    "steady_state": {**_RING, "seconds": 0.01},
}
COMMON_VARIED: Parameters = {"compressibility": 50, "interactive": 5.0}


def fsload_works(program: Path, folder: Path, command: str) -> Iterator[Work]:
    """The base of a command and its variations."""
    base, tool = BASES[command], TOOLS["fsload"]
    varied = [{}, *({name: value} for name, value in {**VARIED[command], **COMMON_VARIED}.items())]
    for change in varied if command != "layout" else [{}]:
        if command == DEFAULT and not available("io_uring") and (change == _RING or BESIDE.keys() & change.keys()):
            continue  # in many containers
        beside = next((BESIDE.get(name, {}) for name in change if command == DEFAULT), {})
        parameters = {**({} if command == DEFAULT else {"command": command}), **base, **beside, **change}
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
    assert OF_TESTS.keys() - TOOLS["fio"].no_work.keys() == FIO.keys()
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
def test_bonnie(in_memory: Path) -> None:
    """bonnie++ waits for three seconds in each test of a large file, so only what needs one has it."""
    tool = TOOLS["bonnie++"]
    large: Parameters = {"file_size": 2 * MIB, "memory": MIB, "chunk_size": 8 * KIB}
    small: Parameters = {"files": 1024, "max_size": 1024, "min_size": 512, "directories": 2}
    changes = [(large, name) for name in ("file_size", "chunk_size", "fsync")]
    changes += [(small, name) for name in (*small, "fsync")]
    works = []
    for base, change in [(large, {}), (small, {}), *((base, {name: BONNIE[name]}) for base, name in changes)]:
        parameters = {**base, **change, "char_tests": False}
        results = run(Path("bonnie++"), tool, parameters, in_memory)
        name = "large" if base is large else "small"
        works.append(Work(f"{name} {change}", work_of(tool, tool.name, parameters), results))
    assert same_identities(works, affected_by) == []


FIO: Parameters = {
    "depth": 2,
    "engine": "libaio",
    "direct": True,
    "sync": "dsync",
    "fsync": True,
    "seconds": 0.05,
    "ramp_seconds": 0.05,
    "steady_state": True,
    "rate": 100_000,
    "arrivals": "poisson",
    "bytes_per_second": 512 * MIB,
    "read_percent": 75,
    "shared_file": True,
    "compressibility": 50,
    "invalidate": False,
}


@pytest.mark.needs("fio", package="fio")
def test_fio(folder: Path) -> None:
    tool = TOOLS["fio"]
    base: Parameters = {"tests": ["write", "read", "mixed"], "file_size": 64 * KIB}
    beside: dict[str, Parameters] = {"arrivals": {"rate": 100_000}, "ramp_seconds": {"seconds": 0.05}}
    beside["steady_state"] = {"seconds": 0.05}
    beside["read_percent"] = {"tests": ["mixed"]}
    works = []
    for name, value in [("tests", base["tests"]), *FIO.items(), ("fsync", 4)]:
        parameters = {**base, **beside.get(name, {}), name: value}
        results = run(Path("fio"), tool, parameters, folder)
        works.append(Work(f"fio {name}={value}", work_of(tool, tool.name, parameters), results))
    for text in ("[a]\nsize=64k\nrw=write\n", "[a]\nsize=64k\nrw=write\nthinktime=1\n"):
        path = folder / "jobs.fio"
        path.write_text(text)
        parameters = {"job_file": str(path), "job_file_sha256": hashlib.sha256(text.encode()).hexdigest()}
        works.append(Work(text, {"command": "", "text": text}, run(Path("fio"), tool, parameters, folder)))
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
