"""A new tool is one file: plans, the agent and its diagnosis use it without a change to any other file."""

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchagent.diagnosis.programs import tools as diagnosed
from benchagent.errors import PlanError
from benchagent.plan.reading import load
from benchagent.plan.workloads import bytes_written, workload_names
from benchagent.system.discovery import discovered
from benchagent.tools import TOOLS, Tool
from tests.support.invented_tool import MODULE, NAME, PLAN, invented_tool, run_plan


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tool]:
    with invented_tool(tmp_path, monkeypatch) as found:
        yield found


def test_a_plan_names_it(tool: Tool) -> None:
    [workload] = load(PLAN).workloads
    assert (workload.name, workload.parameters) == (NAME, {"file_size": 2**20, "around_cache": True})
    assert bytes_written(workload, None) == 2**20


def test_faults_of_its_parameters_are_named(tool: Tool) -> None:
    text = PLAN.replace('"1 MiB"', '"5 KiB"').replace("around_cache = true", 'around_cache = "yes"\nsparse = 1')
    with pytest.raises(PlanError) as caught:
        load(text)
    faults = str(caught.value).splitlines()[1:]
    assert faults == [
        "workloads[0].around_cache is 'yes'; expected true or false",
        "workloads[0].file_size is '5 KiB'; expected a multiple of 4 KiB, scatter's block",
        "workloads[0].sparse is 1; expected one of around_cache, file_size, name, timeout, tool",
    ]


def test_without_it_the_plan_is_refused() -> None:
    assert NAME not in workload_names()
    with pytest.raises(
        PlanError, match=r"tool is 'scatter'; expected one of iozone, bonnie\+\+, fio, maintenance, fsload"
    ):
        load(PLAN)


def test_the_agent_runs_it_and_reads_its_output(tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, [document] = run_plan(tmp_path, monkeypatch)
    assert code == 0
    assert document["workload"]["command"] == ["scatter", "--size", str(2**20), "--direct"]
    assert document["workload"]["parameters"] == {"file_size": 2**20, "around_cache": True}
    assert {artifact["name"] for artifact in document["artifacts"]} == {"round-1/scatter.txt", "round-2/scatter.txt"}
    assert "write" in str(document["results"])
    assert list((tmp_path / "target").iterdir()) == []


def test_a_missing_program_is_named_with_its_package(
    tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin" / NAME).unlink()
    monkeypatch.setenv("BENCHAGENT_FSLOAD", "/nonexistent")
    assert {finding.what: finding for finding in diagnosed()}[NAME].remedy == "Debian and Fedora: scatter-utils"
    assert tool.missing == "scatter is not installed (Debian package: scatter-utils)"


def test_the_tools_that_come_with_the_agent_are_found() -> None:
    assert list(TOOLS) == ["iozone", "bonnie++", "fio", "fsload"]


def test_tools_are_found_in_a_zip_file_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "agent.pyz"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("zipped_tools/__init__.py", "")
        file.writestr("zipped_tools/helper.py", "")
        file.writestr("zipped_tools/scatter.py", MODULE)
        file.writestr("zipped_tools/folder/__init__.py", MODULE.replace('"scatter"', '"folder"'))
    monkeypatch.syspath_prepend(str(archive))
    assert list(discovered([f"{archive}/zipped_tools"], "zipped_tools", Tool, "TOOL")) == ["folder", "scatter"]


def test_two_tools_with_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "twin_tools").mkdir()
    for name in ("__init__", "one", "two"):
        (tmp_path / "twin_tools" / f"{name}.py").write_text(MODULE if name != "__init__" else "")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ValueError, match="two declarations in twin_tools have one name"):
        discovered([str(tmp_path / "twin_tools")], "twin_tools", Tool, "TOOL")
