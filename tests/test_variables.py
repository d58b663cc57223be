"""Settings from the environment and from files; wrong ones end the program with a message."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchdb.embedded.config import PROJECT, manage
from benchdb.variables import Variables, WrongSettings, name_of, read

KEY = "0123456789abcdef" * 4
SHOW = """
import json, sys, django
django.setup()
from django.conf import settings
print(json.dumps({name: getattr(settings, name) for name in sys.argv[1:]}))
"""


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the settings of this test session."""
    for field in Variables.model_fields:
        monkeypatch.delenv(name_of(field), raising=False)
    monkeypatch.delenv("CREDENTIALS_DIRECTORY", raising=False)


def shown(*names: str, **environment: str) -> dict[str, object]:
    """Django's settings in another process with this environment."""
    given = {**os.environ, "DJANGO_SETTINGS_MODULE": "benchdb.settings", "PYTHONPATH": ".:agents", **environment}
    done = subprocess.run([sys.executable, "-c", SHOW, *names], env=given, cwd=PROJECT, capture_output=True, check=True)
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_nothing_needs_to_be_set() -> None:
    assert read().allowed_hosts == "localhost,127.0.0.1,[::1]"


def test_empty_is_not_set_and_spaces_are_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "")
    monkeypatch.setenv("BENCHDB_ALLOWED_HOSTS", "bench.example.org, [::1],")
    assert read().database_url is None
    assert read().allowed_hosts == "bench.example.org,[::1]"


@pytest.mark.parametrize("variable", ["BENCHDB_SECRETS", "CREDENTIALS_DIRECTORY"])
def test_secrets_come_from_files_and_variables_go_before_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    (tmp_path / "benchdb_secret_key").write_text(f"{KEY}\n")
    (tmp_path / "benchdb_database_password").write_text("from the file")
    monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setenv("BENCHDB_DATABASE_PASSWORD", "from the environment")

    variables_ = read()

    assert variables_.secret_key
    assert variables_.database_password
    assert variables_.secret_key.get_secret_value() == KEY
    assert variables_.database_password.get_secret_value() == "from the environment"


def test_secrets_that_are_no_text_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "benchdb_secret_key").write_bytes(b"\xff\xfe" * 40)
    monkeypatch.setenv("BENCHDB_SECRETS", str(tmp_path))
    with pytest.raises(WrongSettings, match=f"The secrets in {tmp_path} cannot be read: 'utf-8' codec"):
        read()


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("BENCHDB_SWEEP_SECONDS", "soon", "is 'soon': it takes whole seconds from 1 to 3600."),
        ("BENCHDB_SWEEP_SECONDS", "0", "is '0': it takes whole seconds from 1 to 3600."),
        ("BENCHDB_UPLOAD_RATE", "600", "is '600': it takes uploads a second, minute, hour or day, such as 600/m."),
        ("BENCHDB_TLS", "https", "is 'https': it takes 0, or 1 where a proxy in front speaks TLS."),
        ("BENCHDB_ALLOWED_HOSTS", "https://bench.example.org", "it takes names with commas between them"),
        ("BENCHDB_ALLOWED_HOSTS", "bench.example.org:8000", "without https:// and port"),
        ("BENCHDB_ORIGINS", "bench.example.org", "such as https://example.org"),
        ("BENCHDB_WORKERS", "many", "it takes a number from 1 to 64."),
        ("BENCHDB_SECRETS", "/nowhere", "is '/nowhere': it takes a directory that is there."),
        ("REDIS_URL", "redis://broker/first", "it takes redis://celery@host:6379/0, rediss://… or unix:"),
        ("DATABASE_URL", "sqlite:///file", "it takes postgresql://user@host:5432/name."),
        ("DATABASE_URL", "postgresql://host:port/name", "it takes postgresql://user@host:5432/name."),
    ],
)
def test_what_cannot_be_right_is_refused_with_what_would_be(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, message: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(WrongSettings) as refusal:
        read()
    assert str(refusal.value).startswith(f"{name} ")
    assert message in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "secret"), [("BENCHDB_SECRET_KEY", "hunter2"), ("DATABASE_URL", "mysql://ada:hunter2@host/name")]
)
def test_no_secret_is_printed(monkeypatch: pytest.MonkeyPatch, name: str, secret: str) -> None:
    monkeypatch.setenv(name, secret)
    with pytest.raises(WrongSettings, match=f"{name} is wrong") as refusal:
        read()
    assert "hunter2" not in str(refusal.value)


def test_every_fault_is_named_and_nothing_starts(tmp_path: Path) -> None:
    wrong = {"BENCHDB_VAR": str(tmp_path / "var"), "BENCHDB_TLS": "perhaps", "BENCHDB_TASK_MEMORY": "1"}
    done = subprocess.run(
        manage("up"), env={**os.environ, **wrong}, cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert [line.split()[0] for line in done.stderr.splitlines()] == ["BENCHDB_TLS", "BENCHDB_TASK_MEMORY"]
    assert not (tmp_path / "var").exists()


def test_a_password_of_its_own_goes_to_the_database(tmp_path: Path) -> None:
    settings = shown(
        "DATABASES",
        BENCHDB_VAR=str(tmp_path),
        DATABASE_URL="postgresql://benchdb@host/name",
        BENCHDB_DATABASE_PASSWORD="p@ss/word",
    )
    assert settings["DATABASES"]["default"]["PASSWORD"] == "p@ss/word"  # type: ignore[index]
