"""The checks of `make check`: names of classes, lengths of files, notices; and the lists that tools read."""

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import tools.faults as faults
from benchdb.embedded.config import PROJECT
from benchdb.web.agent.file import agent_file
from tools.audit import judged, of_npm, of_pip
from tools.containers.__main__ import NOT_HERE
from tools.file_length import lengths
from tools.notice import NOTICE, notice


def test_what_people_write_is_counted(tmp_path: Path) -> None:
    for name, lines in {
        "benchdb/runs/models.py": 12,
        "benchdb/runs/migrations/0001_initial.py": 900,
        "benchdb/runs/notes.txt": 900,
        "agents/engine/main.c": 40,
        "agents/engine/build/made.c": 900,
        "docs/long.py": 900,
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("line\n" * lines)

    assert lengths(tmp_path, ["benchdb", "agents"]) == {
        Path("benchdb/runs/models.py"): 12,
        Path("agents/engine/main.c"): 40,
    }


COMMAND = [sys.executable, "-m", "tools.containers"]


def test_where_there_is_no_engine_the_trial_says_what_is_lacking(tmp_path: Path) -> None:
    done = subprocess.run(
        COMMAND, cwd=PROJECT, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.startswith("compose: not tried: ")) == (NOT_HERE, True), done


def test_the_containers_start_upgrade_and_lose_nothing_when_they_are_killed() -> None:
    done = subprocess.run(COMMAND, cwd=PROJECT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode == NOT_HERE:
        pytest.skip(done.stdout.strip())
    assert done.returncode == 0, done.stdout


def test_the_file_is_up_to_date() -> None:
    assert NOTICE.read_text() == notice(), "run .venv/bin/python tools/notice.py"


def test_every_package_of_the_agent_file_is_named() -> None:
    with zipfile.ZipFile(io.BytesIO(agent_file().data)) as archive:
        packages = {name.partition("/")[0] for name in archive.namelist() if "/" in name}

    assert packages == {"benchagent", "tomli"}
    assert "\ntomli " in NOTICE.read_text()


def test_the_large_packages_of_the_bundle_are_named() -> None:
    text = NOTICE.read_text()
    for title in ("bootstrap 5", "plotly.js 4", "@plotly/d3 3"):
        assert f"\n{title}" in text, title


OF_OTHER_TARGETS: set[str] = set()


def test_every_trial_is_in_a_part_and_every_part_is_there() -> None:
    named = {path for part in faults.PARTS for path in part.paths}
    trials = {str(path.relative_to(PROJECT)) for path in Path(PROJECT, "tests").rglob("trial_*.py")}
    assert trials - named == OF_OTHER_TARGETS
    assert [path for path in named if not Path(PROJECT, path).exists()] == []


def test_the_table_says_what_each_part_did() -> None:
    outcomes = [
        faults.PartOutcome("storm", 1, 0, 0, 90.0, ["STRIKES 60", "300 runs"]),
        faults.PartOutcome("full disks", 4, 1, 2, 30.0, []),
    ]
    assert faults.table(outcomes).splitlines()[2:] == [
        "| storm | 1 passed | 1.5 | STRIKES 60; 300 runs |",
        "| full disks | 4 passed, 1 failed, 2 skipped | 0.5 |  |",
    ]


PIP = {
    "dependencies": [
        {"name": "django", "version": "5.2.1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["5.2.2"], "aliases": []}]},
        {"name": "numpy", "version": "2.4.6", "vulns": []},
        {"name": "ours", "skip_reason": "not on PyPI"},
    ],
    "fixes": [],
}
NPM = {"auditReportVersion": 2, "vulnerabilities": {"esbuild": {"severity": "moderate", "range": "<=0.24.2"}}}


def test_weaknesses_are_named() -> None:
    assert judged(json.dumps(PIP), of_pip) == ["django 5.2.1: PYSEC-1, mended in ['5.2.2']"]
    assert judged(json.dumps(NPM), of_npm) == ["esbuild: moderate, <=0.24.2"]


def test_none_is_an_answer_too() -> None:
    sound = {"dependencies": [{"name": "numpy", "version": "2.4.6", "vulns": []}]}
    assert judged(json.dumps(sound), of_pip) == []
    assert judged('{"vulnerabilities": {}}', of_npm) == []


def test_packages_that_the_source_does_not_know_are_not_checked() -> None:
    assert judged('{"dependencies": [{"name": "django", "skip_reason": "not found"}], "fixes": []}', of_pip) is None


@pytest.mark.parametrize("output", ["", "ERROR: connection refused", "null", '{"error": {"code": "ENOAUDIT"}}', "[]"])
def test_what_is_no_report_is_not_checked(output: str) -> None:
    assert judged(output, of_pip) is None
    assert judged(output, of_npm) is None
