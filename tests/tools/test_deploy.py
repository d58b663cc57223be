"""The systemd units: valid for systemd, and all with the same restrictions."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchdb.variables import Variables, name_of

ROOT = Path(__file__).resolve().parents[2]
UNITS = sorted((ROOT / "deploy" / "systemd").iterdir())
SERVICES = [path for path in UNITS if path.suffix == ".service"]
HARDENING = {
    "NoNewPrivileges=yes",
    "CapabilityBoundingSet=",
    "ProtectSystem=strict",
    "ProtectHome=yes",
    "PrivateTmp=yes",
    "PrivateDevices=yes",
    "RestrictNamespaces=yes",
    "SystemCallFilter=@system-service",
    "SystemCallFilter=~@privileged",
    "User=benchdb",
    "StateDirectory=benchdb",
}


@pytest.mark.needs("systemd-analyze", package="systemd")
def test_systemd_takes_them(tmp_path: Path) -> None:
    for path in UNITS:
        text = path.read_text().replace("/opt/benchdb/.venv/bin/python", sys.executable)
        (tmp_path / path.name).write_text(text)
    units = sorted(str(path) for path in tmp_path.iterdir())
    done = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.needs("systemd-analyze", package="systemd")
@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_the_exposure_of_a_service_is_below_three_of_ten(path: Path) -> None:
    command = ["systemd-analyze", "security", "--offline=yes", "--threshold=30", path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_every_service_is_held_back(path: Path) -> None:
    assert set(path.read_text().splitlines()) >= HARDENING


def test_units_name_only_units_and_settings_that_exist() -> None:
    texts = "\n".join(path.read_text() for path in UNITS)
    assert set(re.findall(r"\bbenchdb[\w-]*\.(?:service|target|timer)\b", texts)) <= {path.name for path in UNITS}
    assert set(re.findall(r"\b(?:BENCHDB|DATABASE|REDIS)_[A-Z_]+\b", texts)) <= {
        name_of(f) for f in Variables.model_fields
    }


def test_commands_run_as_the_services_do() -> None:
    """`deploy/manage` passes the same settings to manage.py as the units."""
    given = set(re.findall(r"--property=(\S+)", (ROOT / "deploy" / "manage").read_text()))
    service = set((ROOT / "deploy" / "systemd" / "benchdb-migrate.service").read_text().splitlines())
    assert given <= service
    assert {"User=benchdb", "LoadCredential=benchdb:/etc/benchdb/secrets"} <= given
    assert subprocess.run(["sh", "-n", ROOT / "deploy" / "manage"], check=False).returncode == 0
