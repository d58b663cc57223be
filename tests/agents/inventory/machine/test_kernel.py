from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.inventory.environment import kernel, public_command_line
from benchagent.inventory.source import Source
from tests.agents.inventory.trees import recorded, unpack


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ro quiet mitigations=off", "ro quiet mitigations=off"),
        ("root=UUID=0f3a6c1e-7a52-4b0d-9d3e-5b1c2d3e4f50 ro", "root=UUID=<uuid> ro"),
        ("root=PARTUUID=4e639091-02 rw", "root=PARTUUID=<uuid> rw"),
        ("root=UUID=1A2B-3C4D", "root=UUID=<uuid>"),
        ("rd.luks.uuid=luks-0f3a6c1e-7a52-4b0d-9d3e-5b1c2d3e4f50", "rd.luks.uuid=luks-<uuid>"),
        ("root=LABEL=annas-disk rw", "root=LABEL=<label> rw"),
        ("ip=192.0.2.7::192.0.2.1 nfsroot=192.0.2.1:/x,v3", "ip=<private> nfsroot=<private>"),
        (
            "systemd.setenv=TOKEN=abc app.secret=x root_password=y",
            "systemd.setenv=<private> app.secret=<private> root_password=<private>",
        ),
        ("keyboard=us vconsole.keymap=de elevator=noop", "keyboard=us vconsole.keymap=de elevator=noop"),
        ("quiet init=/sbin/x -- --token abc", "quiet init=/sbin/x"),
        ("", ""),
    ],
)
def test_what_names_the_machine_is_taken_out(line: str, expected: str) -> None:
    assert public_command_line(line) == expected


@given(st.text())
def test_any_line_stays_public_when_done_again(line: str) -> None:
    once = public_command_line(line)
    assert public_command_line(once) == once


def test_all_facts(tmp_path: Path) -> None:
    assert kernel(recorded("raid5_sata", tmp_path), str) == {
        "name": "Linux",
        "release": "6.1.0-18-amd64",
        "version": "#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01)",
        "architecture": "x86_64",
        "command_line": "BOOT_IMAGE=/boot/vmlinuz-6.1.0-18-amd64 root=UUID=<uuid> ro quiet",
    }


def test_the_command_line_is_scrubbed_and_fits_the_contract(tmp_path: Path) -> None:
    source = unpack("/proc/cmdline: root=/dev/db7prod/root " + "x" * 5000 + "\n", tmp_path)
    found = kernel(source, lambda text: text.replace("db7prod", "<host>"))
    assert found["command_line"].startswith("root=/dev/<host>/root x")
    assert len(found["command_line"]) == 4096


def test_uname_knows_it_where_proc_is_not_mounted(tmp_path: Path) -> None:
    found = kernel(unpack("/commands/uname -r: 2.6.24\n/commands/uname -s: Linux\n", tmp_path), str)
    assert (found["name"], found["release"], found["version"]) == ("Linux", "2.6.24", None)


def test_nothing_at_all_is_unknown(tmp_path: Path) -> None:
    assert set(kernel(Source(tmp_path), str).values()) == {None}
