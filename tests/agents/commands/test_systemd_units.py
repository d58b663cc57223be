"""systemd units: systemd itself accepts them, and they let the agent do its work."""

import subprocess
from pathlib import Path

import pytest

from benchagent.commands.service import HARDENING, UnitSettings, is_possible, lasting, oneshot, timer, unit_name
from tests.texts import missing_in

systemd = pytest.mark.needs("systemd-analyze", package="systemd")
# Settings that would keep the agent from formatting, mounting, emptying caches or detecting disturbances.
FORBIDDEN = (
    *("PrivateDevices", "ProtectClock", "ProtectKernelTunables", "ProtectKernelModules", "ProtectKernelLogs"),
    *("ProtectControlGroups", "DevicePolicy", "DynamicUser", "PrivateUsers"),
)
ODD = r"""/srv/a b/100%/$HOME/"quoted"/back\slash/it's;#"""


def settings(text: str) -> list[tuple[str, str]]:
    return [(name, value) for name, mark, value in (line.partition("=") for line in text.splitlines()) if mark]


def verify(folder: Path, **units: str) -> subprocess.CompletedProcess[str]:
    """Verify a unit with systemd; any output is a complaint, even with a successful exit status."""
    for kind, text in units.items():
        (folder / f"job.{kind}").write_text(text)
    names = [str(folder / f"job.{kind}") for kind in units]
    return subprocess.run(["systemd-analyze", "verify", *names], capture_output=True, text=True, check=False)


@systemd
@pytest.mark.parametrize("argument", ["/srv/plan.toml", ODD])
def test_systemd_takes_them(tmp_path: Path, argument: str) -> None:
    job = UnitSettings(argument, ("/bin/echo", argument), (("BENCHAGENT_STATE", argument),), "/elsewhere", (argument,))
    for units in ({"service": oneshot(job), "timer": timer(argument, "Mon *-*-* 03:00")}, {"service": lasting(job)}):
        done = verify(tmp_path, **units)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@systemd
def test_systemd_finds_faults_in_others(tmp_path: Path) -> None:
    done = verify(tmp_path, service=oneshot(UnitSettings("x", ("/nonexistent",))))
    assert "/nonexistent" in done.stderr


def test_special_characters_are_written_as_systemd_reads_them() -> None:
    [(_, command)] = [
        setting for setting in settings(oneshot(UnitSettings("x", ("/bin/echo", ODD)))) if setting[0] == "ExecStart"
    ]
    assert command == r'''/bin/echo "/srv/a b/100%%/$$HOME/\"quoted\"/back\\slash/it's;#"'''
    [(_, writable)] = [
        setting
        for setting in settings(oneshot(UnitSettings("x", ("/bin/echo",), writable=(ODD,))))
        if setting[0] == "ReadWritePaths"
    ]
    assert writable == r'''"/srv/a b/100%%/$HOME/\"quoted\"/back\\slash/it's;#"'''


def test_the_state_directory_is_systemds_or_the_one_that_is_named() -> None:
    usual = dict(settings(oneshot(UnitSettings("x", ("/bin/echo",)))))
    assert (usual["StateDirectory"], "ReadWritePaths" in usual) == ("benchagent", False)
    other = dict(settings(oneshot(UnitSettings("x", ("/bin/echo",), state="/elsewhere", writable=("/srv",)))))
    assert ("StateDirectory" in other, other["ReadWritePaths"]) == (False, "/srv /elsewhere")


def test_the_agent_may_still_format_and_mount() -> None:
    hardening = dict(settings(HARDENING))
    assert not set(hardening) & set(FORBIDDEN)
    assert hardening["CapabilityBoundingSet"].startswith("~")
    assert "CAP_SYS_ADMIN" not in hardening["CapabilityBoundingSet"]


def test_only_a_service_that_lasts_is_started_at_boot_and_again() -> None:
    job = UnitSettings("x", ("/bin/echo",))
    assert not missing_in(
        lasting(job), "Restart=on-failure", "WantedBy=multi-user.target", "RestartPreventExitStatus=2 12 14"
    )
    assert "[Install]" not in oneshot(job)
    assert "TimeoutStartSec=infinity" in oneshot(job)


@pytest.mark.parametrize(
    ("text", "name"), [("demo", "demo"), ("RAID 6/ext4", "RAID-6-ext4"), ("..", "plan"), ("", "plan"), ("é", "plan")]
)
def test_unit_names(text: str, name: str) -> None:
    assert unit_name(text) == name


def test_a_line_break_fits_into_no_unit() -> None:
    assert is_possible(["/a b", "é"])
    assert not is_possible(["/a\nExecStart=/bin/sh"])
    assert not is_possible([""])
