from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from benchagent.inventory.environment import distribution, parse_os_release
from benchagent.inventory.source import Source
from tests.agents.inventory.trees import recorded, unpack


def test_debian(tmp_path: Path) -> None:
    expected = {"id": "debian", "version": "12", "name": "Debian GNU/Linux 12 (bookworm)"}
    assert distribution(recorded("virtio_guest", tmp_path)) == expected


def test_a_rolling_distribution_has_no_version(tmp_path: Path) -> None:
    source = unpack('/usr/lib/os-release:\n| NAME="Arch Linux"\n| ID=arch\n', tmp_path)
    assert distribution(source) == {"id": "arch", "version": None, "name": "Arch Linux"}


def test_empty_values_are_unknown(tmp_path: Path) -> None:
    source = unpack('/etc/os-release:\n| ID=""\n| PRETTY_NAME=\n', tmp_path)
    assert distribution(source) == {"id": None, "version": None, "name": None}


def test_no_file_is_unknown(tmp_path: Path) -> None:
    assert distribution(Source(tmp_path)) == {"id": None, "version": None, "name": None}


def test_quotes_comments_and_lines_no_shell_takes() -> None:
    text = '# ID=no\nA=\'x y\'\nB="say \\"hi\\""\nC="open\nD=plain\nno assignment\n'
    assert parse_os_release(text) == {"A": "x y", "B": 'say "hi"', "D": "plain"}


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    assert all(isinstance(value, str) for value in parse_os_release(text).values())
