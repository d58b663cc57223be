"""`make secrets`: whole files that the users in the containers can read, and that stay as they are."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAMES = {"database_password", "secret_key", "broker_password", "cache_password"}


def made(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """The outcome of making the secrets in a directory."""
    return subprocess.run([ROOT / "deploy" / "secrets", folder, *more], capture_output=True, text=True, check=False)


def contents(folder: Path) -> dict[str, str]:
    """The files of a directory."""
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_they_are_made_once(tmp_path: Path) -> None:
    first = made(tmp_path / "secrets", "")
    before = contents(tmp_path / "secrets")
    second = made(tmp_path / "secrets", "")
    assert (first.returncode, second.returncode, second.stdout, second.stderr) == (0, 0, "", "")
    assert before.keys() == NAMES
    assert len(set(before.values())) == 4
    assert {len(text) for text in before.values()} == {64}
    assert contents(tmp_path / "secrets") == before


def test_only_their_owner_can_enter_and_the_containers_can_read(tmp_path: Path) -> None:
    made(tmp_path / "secrets")
    assert (tmp_path / "secrets").stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "secrets").iterdir()} == {0o644}


def test_an_empty_secret_is_refused_and_nothing_overwritten(tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("")
    (tmp_path / "database_password").write_text("mine")
    done = made(tmp_path)
    assert (done.returncode, done.stderr) == (1, f"{tmp_path}/secret_key is empty: remove it\n")
    assert contents(tmp_path).keys() == {"secret_key", "database_password"}
    assert (tmp_path / "database_password").read_text() == "mine"


@pytest.mark.needs("openssl", package="openssl")
def test_a_certificate_is_made_for_a_name_and_not_over_another(tmp_path: Path) -> None:
    made(tmp_path, "bench.example.org")
    before = contents(tmp_path)
    made(tmp_path, "other.example.org")
    assert before.keys() == {*NAMES, "fullchain.pem", "privkey.pem"}
    assert contents(tmp_path) == before
    shown = ["openssl", "x509", "-noout", "-checkhost", "bench.example.org", "-in", tmp_path / "fullchain.pem"]
    assert "does match" in subprocess.run(shown, capture_output=True, text=True, check=True).stdout
