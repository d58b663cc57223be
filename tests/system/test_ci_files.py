"""The files for CI services: docs/gate.md shows them, and their steps run as a service runs them."""

import os
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
import yaml

from benchdb.embedded.config import PROJECT
from tests.docs.blocks import blocks
from tests.system.server import Server

CI = PROJECT / "deploy" / "ci"
PAGE = PROJECT / "docs" / "gate.md"
PATIENCE = 240


def github(file: dict[str, Any]) -> list[str]:
    """The scripts of the steps that run commands."""
    return [step["run"] for step in file["jobs"]["gate"]["steps"] if "run" in step]


def gitlab(file: dict[str, Any]) -> list[str]:
    """All lines, which one shell runs."""
    return ["\n".join(file["gate"]["script"])]


SERVICES = {"github.yml": github, "gitlab.yml": gitlab}


@pytest.mark.parametrize("name", ["gate.toml", *SERVICES])
def test_page_shows_the_files(name: str) -> None:
    assert (CI / name).read_text() in [f"{block.text.rstrip()}\n" for block in blocks(PAGE)]


@pytest.mark.needs("root", package=None)
@pytest.mark.needs("loop devices", package=None)
@pytest.mark.needs("cc", package="gcc")
@pytest.mark.parametrize("name", SERVICES)
def test_steps_of_a_service_measure_and_report(server: Server, tmp_path: Path, name: str) -> None:
    """Both services fail a job whose last command fails. The budget is that of one look, with a wide margin."""
    plan = (CI / "gate.toml").read_text()
    short = plan.replace('"20 min"', '"1 s"\nmargin = "90 %"\nmin_rounds = 4').replace("16 MiB", "1 MiB")
    assert len(short) != len(plan)
    (tmp_path / "gate.toml").write_text(short)
    scopes = ("--scope", "upload", "--scope", "read")
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "BENCHAGENT_STATE": str(tmp_path / "state"),
        "BENCHAGENT_SERVER": server.url.rstrip("/"),
        "BENCHAGENT_TOKEN": server.manage("token", "gwen", "--create-owner", *scopes, "--visibility", "public"),
        "GITHUB_SHA": "0123abc",
        "CI_COMMIT_SHA": "0123abc",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "gate.md"),
    }
    codes = []
    for script in SERVICES[name](yaml.safe_load((CI / name).read_text())):
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", script],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        codes.append(done.returncode)

    assert codes[:-1] == [0] * (len(codes) - 1)
    assert codes[-1] in (0, 21), done.stderr
    assert Xml.fromstring((tmp_path / "gate.xml").read_bytes())[0].get("tests") == "4"
    assert f"]({server.url}c/" in (tmp_path / "gate.md").read_text()
