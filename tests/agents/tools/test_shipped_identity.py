"""Results of different work have different identities: for every workload of every shipped plan.

Each workload runs in small, with all its sizes divided by the same number, so that workloads that differ still differ.
Beside it runs its neighbours, in each of which one number of the plan is doubled.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

from benchagent import formats
from benchagent.formats.model import Result
from benchagent.inventory import Source
from benchagent.measuring.maintenance import maintain
from benchagent.measuring.tool_round import Bench
from benchagent.plan.maintenance import MAINTENANCE
from benchagent.plan.model import Point, Target, Workload
from benchagent.plan.reading import load
from benchagent.planning.files import with_files
from benchagent.planning.shipped import shipped_plans
from benchagent.targets.prepare import prepared
from benchagent.targets.work_directory import WorkDirectory
from benchagent.toml.tables import Parameters
from benchagent.tools import TOOLS, CommandContext
from benchagent.tools.fsload.options import DEFAULT
from tests.agents.targets.test_prepare import loop_devices, no_tick, root
from tests.agents.tools.identities import Work, same_identities
from tests.agents.tools.works import BASES, FILES, GIB, KIB, MIB, MODEL, PROFILE, affected_by, run, work_of

RAM = GIB // 2
REFUSED = 3  # fsload's exit status

# What each parameter is divided by. The smallest sizes that the tools accept are 1 MiB and 1024 files in bonnie++.
SMALLER: dict[str, dict[str, int]] = {
    "iozone": {"file_sizes": 512, "record_sizes": 16},
    "fsload": {"file_sizes": 4, "record_sizes": 4},
    "bonnie++": {"file_size": 64, "files": 16},
    MAINTENANCE: {"fill": 2048, "file_size": 8},
}
# Sizes that are among those of every automatic mode of iozone.
AUTOMATIC = {"file_sizes": (4 * MIB, 8 * MIB), "record_sizes": (64 * KIB, 128 * KIB)}


@dataclass(frozen=True)
class Planned:
    """A workload of a shipped plan: a single pair of sizes of a sweep, everything of others."""

    name: str
    workload: Workload

    @property
    def command(self) -> str:
        """The command of fsload, or the tool."""
        tool = self.workload.tool
        return str(self.workload.parameters.get("command", DEFAULT)) if tool == "fsload" else tool

    def small(self) -> Parameters:
        """The parameters of the small run. Divisions leave no remainder, so that nothing different becomes equal."""
        divided = {name: self._divided(name, value) for name, value in self.workload.parameters.items()}
        if self.command != "bonnie++" or "file_size" not in divided:
            return divided
        return {**divided, "memory": divided["file_size"] // 2}  # bonnie++ accepts no more for this size

    def _divided(self, name: str, value: Any) -> Any:
        by = SMALLER[self.workload.tool].get(name, 1)
        if isinstance(value, list):
            return [self._divided(name, each) for each in value]
        if by == 1:
            return value
        assert value % by == 0, f"{self.name}: {name}"
        return value // by

    @property
    def key(self) -> str:
        """Equal for equal small runs."""
        return json.dumps([self.small(), [(file.name, file.text) for file in self.workload.files]], sort_keys=True)

    def work(self, results: tuple[Result, ...]) -> Work:
        """The results with the parameters of the plan that describe their work."""
        sizes = {name: value for name, value in self.workload.parameters.items() if name in AUTOMATIC}
        tool = TOOLS.get(self.workload.tool)
        rest = work_of(tool, self.command, self.workload.parameters) if tool else self._maintained()
        return Work(self.name, {**rest, **sizes}, results)

    def _maintained(self) -> Parameters:
        kept = {name: value for name, value in self.workload.parameters.items() if name != "tests"}
        return {**kept, "command": MAINTENANCE}


def planned(tool: str) -> list[Planned]:
    """The workloads of all shipped plans for a tool, with their neighbours."""
    return [each for name, workload in shipped() if workload.tool == tool for each in neighbours(name, workload)]


def shipped() -> Iterator[tuple[str, Workload]]:
    """Every workload of every shipped plan, with a name for messages."""
    for path in sorted(shipped_plans().glob("*.toml")):
        plan = with_files(load(path.read_text(), RAM), path.parent)
        context = CommandContext(seed=1, root=True)
        for cold in plan.workloads if plan.cache == "cold" else ():
            commands = TOOLS[cold.tool].commands(cold.parameters, context, cold=True)
            assert len(commands) == 1, "cold rounds are several invocations, which this test does not make"
        for workload in plan.workloads:
            yield f"{path.stem} {workload.name}", workload


def neighbours(name: str, workload: Workload) -> Iterator[Planned]:
    """The workload in its single sizes, and the first of these with each number doubled."""
    cells = list(single_sizes(workload.parameters))
    changes = [{**cells[0], key: doubled(value)} for key, value in cells[0].items() if doubled(value) != value]
    if workload.tool == "fsload":  # twice as many files a directory change nothing if all are in one; test_identity.py
        changes = []
    for parameters in (*cells, *changes):
        sizes = {key: value for key, value in parameters.items() if value != workload.parameters.get(key)}
        yield Planned(f"{name} {sizes}", replace(workload, parameters=parameters))


def doubled(value: Any) -> Any:
    """Twice a number, or a list of one number."""
    if isinstance(value, list) and all(isinstance(each, int) for each in value):
        return [2 * each for each in value]
    return 2 * value if isinstance(value, int) and not isinstance(value, bool) else value


def single_sizes(parameters: Parameters) -> Iterator[Parameters]:
    """One set of parameters for each file size and record size of a sweep; the parameters themselves otherwise."""
    if not {"auto", "file_sizes"} & parameters.keys():
        yield parameters
        return
    kept = {name: value for name, value in parameters.items() if not name.startswith(("min_", "max_"))}
    lists: list[Any] = [parameters.get(name, list(AUTOMATIC[name])) for name in AUTOMATIC]
    for file_size, record_size in product(*lists):
        if record_size <= file_size:
            yield {**kept, "file_sizes": [file_size], "record_sizes": [record_size]}


def different(wanted: list[Planned], measure: Callable[[Planned], tuple[Result, ...]], at_once: int = 1) -> list[str]:
    """The tests of different work with one identity. Equal small runs are made once."""
    small = {each.key: each for each in wanted}
    with ThreadPoolExecutor(at_once) as pool:
        results = dict(zip(small, pool.map(measure, small.values())))
    return same_identities([each.work(results[each.key]) for each in wanted], affected_by)


def measured_in(folder: Path, program: Path) -> Callable[[Planned], tuple[Result, ...]]:
    """Runs a workload in small in a directory of its own."""

    def measure(each: Planned) -> tuple[Result, ...]:
        place = Path(mkdtemp(dir=folder))
        return run(program, TOOLS[each.workload.tool], each.small(), place)

    return measure


@pytest.mark.needs("iozone", package="iozone3")
def test_iozone(in_memory: Path) -> None:
    assert different(planned("iozone"), measured_in(in_memory, Path("iozone"))) == []


@pytest.mark.needs("bonnie++", package="bonnie++")
def test_bonnie(in_memory: Path) -> None:
    """bonnie++ mostly sleeps, so that several of it do not disturb each other."""
    assert different(planned("bonnie++"), measured_in(in_memory, Path("bonnie++")), at_once=8) == []


@root
@loop_devices
def test_maintenance(program: Path, in_memory: Path) -> None:
    with WorkDirectory(in_memory / "work").opened() as work:
        assert different(planned(MAINTENANCE), lambda each: maintained(each, work)) == []


def maintained(each: Planned, work: WorkDirectory) -> tuple[Result, ...]:
    """The results of one real round of maintenance on an image."""
    bench = Bench(CommandContext(seed=1, root=True), "uncontrolled", Source(), str, no_tick)
    target = Target("target", "image", size=256 * MIB, file_system="ext4")
    with prepared(target, work, no_tick) as place:
        found = maintain(Point(target, replace(each.workload, parameters=each.small())), place, bench, 0, 0)
    assert found.error is None, found.error
    return tuple(result for result, _, _ in found.results)


@pytest.mark.needs("cc", package="gcc")
def test_fsload(program: Path, folder: Path, in_memory: Path) -> None:
    sweep = measured_in(in_memory, program)
    wanted = planned("fsload")

    def measure(each: Planned) -> tuple[Result, ...]:
        return sweep(each) if each.command == DEFAULT else headed(program, folder, each)

    assert different(wanted, measure) == []
    assert {each.command for each in wanted} >= {DEFAULT, "mix", "wml", "metadata", "bulk"}


def headed(program: Path, folder: Path, each: Planned) -> tuple[Result, ...]:
    """The results of a workload: the header of its own size, with the lines of a small real run.

    fsload prints the header of a workload of any size before it refuses to start.
    """
    tool, workload = TOOLS["fsload"], each.workload
    context = CommandContext(seed=1, root=False, files={file.name: file.path for file in workload.files})
    words = [program, *tool.arguments(workload.parameters, context), "--min-free", "1000T"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == REFUSED, done.stderr
    header = json.loads(done.stdout.partition("\n")[0])
    lines = [as_planned(line, header["parameters"]) for line in small_lines(program, folder, each.command)]
    wanted = workload.parameters.get("tests")
    kept = [line for line in lines if not isinstance(wanted, list) or line.get("test", "") in ["", *wanted]]
    text = "".join(json.dumps(line) + "\n" for line in (header, *kept))
    return tuple(tool.completed(formats.parse(text, tool.name), workload.parameters).results)


def small_lines(program: Path, folder: Path, command: str) -> list[dict[str, Any]]:
    """The lines of a small real run without its header; the shipped profiles only create, and open, read and close."""
    place = Path(mkdtemp(dir=folder))
    (place / "mix").write_text(PROFILE.replace("read_weight=1\nappend", "create"))
    (place / "wml").write_text(MODEL)
    context = CommandContext(seed=1, root=False, files={name: str(place / name) for name in FILES})
    words = [program, *TOOLS["fsload"].arguments({"command": command, **BASES[command]}, context)]
    done = subprocess.run(words, cwd=place, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()[1:]]


def as_planned(line: dict[str, Any], parameters: dict[str, Any]) -> dict[str, Any]:
    """A result line with the threads that the header has for it."""
    groups = parameters.get("mix", {}).get("groups", [])
    threads = groups[0]["threads"] if groups else parameters.get("threads")
    return {**line, "threads": threads} if threads and "threads" in line else line


def test_no_tool_of_a_shipped_plan_is_left_out() -> None:
    assert {workload.tool for _, workload in shipped()} == {"iozone", "bonnie++", "fsload", MAINTENANCE}
