"""The users and capabilities of services."""

import os
import pwd
import subprocess
from pathlib import Path
from signal import Signals

import pytest

from benchdb.embedded.errors import ServiceError
from benchdb.embedded.supervisor.privileges import Account, launcher, unprivileged_account
from tests.texts import missing_in

NOBODY = pwd.getpwnam("nobody")


def run_as(account: Account | None, *command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*launcher(Signals.SIGTERM, account), *command], capture_output=True, text=True, check=False, cwd="/"
    )


@pytest.fixture
def hidden_program(tmp_path: Path) -> Path:
    """A program in a directory that only root may enter, like a clone in /root."""
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    program = private / "program"
    program.write_text("#!/bin/sh\nid -u; cat $0 | wc -l\n")
    program.chmod(0o755)
    return program


@pytest.mark.needs("an ordinary user")
def test_an_ordinary_user_runs_postgres_as_itself(tmp_path: Path) -> None:
    assert unprivileged_account(tmp_path, [tmp_path]) is None


@pytest.mark.needs("root")
def test_new_data_belong_to_nobody(tmp_path: Path) -> None:
    account = unprivileged_account(tmp_path / "postgres", [Path("/usr/bin/env")])
    assert account == Account("nobody", NOBODY.pw_uid, NOBODY.pw_gid, None)


@pytest.mark.needs("root")
def test_data_keep_their_owner(tmp_path: Path) -> None:
    daemon = pwd.getpwnam("daemon")
    os.chown(tmp_path, daemon.pw_uid, daemon.pw_gid)
    account = unprivileged_account(tmp_path, [Path("/usr/bin/env")])
    assert account == Account("daemon", daemon.pw_uid, daemon.pw_gid, None)


@pytest.mark.needs("root")
def test_a_private_directory_is_passed_with_a_capability_and_not_with_chmod(hidden_program: Path) -> None:
    account = unprivileged_account(hidden_program.parent / "postgres", [hidden_program])
    assert account == Account("nobody", NOBODY.pw_uid, NOBODY.pw_gid, "dac_read_search")
    done = run_as(account, hidden_program)
    assert (done.stdout.split(), done.stderr) == ([str(NOBODY.pw_uid), "2"], "")
    assert hidden_program.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.needs("root")
def test_the_capability_does_not_let_it_write(hidden_program: Path) -> None:
    account = unprivileged_account(hidden_program.parent / "postgres", [hidden_program])
    assert "Permission denied" in run_as(account, "touch", hidden_program.parent / "new").stderr


@pytest.mark.needs("root")
def test_a_service_has_no_group_of_root() -> None:
    account = Account("nobody", NOBODY.pw_uid, NOBODY.pw_gid)
    assert run_as(account, "id", "-G").stdout.split() == [str(NOBODY.pw_gid)]


@pytest.mark.needs("root")
def test_what_nobody_can_reach_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    locked = tmp_path / "program"
    locked.touch(mode=0o600)
    with pytest.raises(ServiceError) as error:
        unprivileged_account(tmp_path / "postgres", [locked])
    assert missing_in(str(error.value), f"the user nobody cannot reach {locked}", "ordinary user") == []


@pytest.mark.needs("root")
def test_data_of_root_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ServiceError, match=rf"{tmp_path} belongs to root.*chown -R nobody: {tmp_path}"):
        unprivileged_account(tmp_path, [])


def test_a_missing_setpriv_is_an_error_that_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchdb.embedded.supervisor.privileges.SEARCH_PATH", "/nonexistent")
    with pytest.raises(ServiceError, match="util-linux"):
        launcher(Signals.SIGTERM)
