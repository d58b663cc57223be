"""`manage.py doctor`: a healthy server, and every fault that it can detect."""

import io
import json
import os
import re
import subprocess
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import redis
from django.core.cache import cache
from django.core.management import call_command
from django.db.migrations.recorder import MigrationRecorder

from benchdb import heartbeats
from benchdb.embedded.config import PROJECT, VALKEY_SUPERUSER, manage, redis_url
from benchdb.operations.doctor import services
from benchdb.operations.doctor import settings as checks
from benchdb.operations.doctor.finding import DoctorFinding
from tests.api.test_outages import DEAD_DATABASE

MANIFEST = "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"


def only(found: list[DoctorFinding], about: str) -> DoctorFinding:
    """The only finding about this."""
    (finding,) = [each for each in found if each.about == about]
    return finding


def test_a_worker_that_is_missing_is_wrong_and_ends_with_1(db: None) -> None:
    out = io.StringIO()
    with pytest.raises(SystemExit) as end:
        call_command("doctor", stdout=out)
    assert end.value.code == 1
    assert re.search(r"^wrong +worker +none answers, and ", out.getvalue(), re.MULTILINE)


def test_a_misspelt_setting_is_named_with_what_was_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHDB_ALOWED_HOSTS", "bench.example.org")
    (found,) = checks.variables()
    assert found.level == "warning"
    assert found.text == "nothing reads BENCHDB_ALOWED_HOSTS; did you mean BENCHDB_ALLOWED_HOSTS?"


@pytest.mark.parametrize(("hosts", "level"), [(["*"], "wrong"), (["localhost"], "ok"), (["bench.example.org"], "ok")])
def test_hosts(settings: Any, hosts: list[str], level: str) -> None:
    settings.ALLOWED_HOSTS = hosts
    assert [each.level for each in checks.hosts()] == [level]


def test_a_public_site_without_tls_is_warned_of_and_with_error_pages_wrong(settings: Any) -> None:
    settings.ALLOWED_HOSTS, settings.DEBUG = ["bench.example.org"], True
    found = list(checks.tls())
    assert only(found, "debug").level == "wrong"
    assert only(found, "tls").level == "warning"


def test_what_django_asks_of_a_deployment_is_passed_on(settings: Any) -> None:
    settings.BEHIND_TLS = True
    assert any("SECURE_SSL_REDIRECT" in each.text for each in checks.tls())


@pytest.mark.parametrize(("tls", "number", "levels"), [(True, 0, ["warning"]), (True, 1, ["ok"]), (False, 0, [])])
def test_proxies_that_nobody_counted(settings: Any, tls: bool, number: int, levels: list[str]) -> None:
    settings.BEHIND_TLS, settings.PROXIES = tls, number
    assert [each.level for each in checks.proxies()] == levels


def test_a_weak_key_and_one_that_others_may_read(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    assert [finding.level for finding in checks.secret_key()] == ["ok"]
    (tmp_path / "secret_key").touch(mode=0o644)
    (tmp_path / "secret_key").chmod(0o644)
    (finding,) = checks.secret_key()
    assert (finding.level, "chmod 600" in finding.text) == ("wrong", True)
    settings.SECRET_KEY = "a" * 60
    assert "too easy to guess" in next(checks.secret_key()).text


@pytest.mark.parametrize(("free", "level"), [(0.5, "wrong"), (4, "warning"), (50, "ok")])
def test_disk_space(monkeypatch: pytest.MonkeyPatch, free: float, level: str) -> None:
    usage = SimpleNamespace(total=100 * checks.GIB, free=int(free * checks.GIB))
    monkeypatch.setattr(checks.shutil, "disk_usage", lambda _: usage)
    assert [each.level for each in checks.disk()] == [level]


def test_static_files_that_are_not_collected(settings: Any, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    assert next(checks.static()).text.startswith("nothing is collected")
    (tmp_path / "staticfiles.json").write_text('{"paths": {}}')
    assert "files are not collected: `manage.py collectstatic --no-input`" in next(checks.static()).text


def test_static_files_that_are_collected(settings: Any, tmp_path: Path) -> None:
    """Hidden files, such as the stamp of a build, are not collected and not missing."""
    built = tmp_path / "built"
    built.mkdir()
    (built / ".setup-stamp").touch()
    settings.STATIC_ROOT, settings.STATICFILES_DIRS = tmp_path / "static", [built]
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": MANIFEST}}
    call_command("collectstatic", interactive=False, verbosity=0)
    assert [finding.level for finding in checks.static()] == ["ok"]


def test_migrations_that_are_missing_or_newer(db: None) -> None:
    assert only(list(services.database()), "migrations").level == "ok"
    MigrationRecorder.Migration.objects.create(app="runs", name="9999_future")
    assert "runs.9999_future, which this program does not know" in only(list(services.database()), "migrations").text
    MigrationRecorder.Migration.objects.filter(app="runs", name="0001_initial").delete()
    assert only(list(services.database()), "migrations").text == "1 are not applied: `manage.py migrate`"


def test_a_clock_that_goes_wrong(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    real = time.time
    for apart, level in ((-10, "warning"), (90, "wrong")):
        monkeypatch.setattr(services.time, "time", lambda apart=apart: real() + apart)
        assert only(list(services.database()), "clock").level == level


def test_beat_is_told_by_its_sweeps(settings: Any) -> None:
    cache.delete("seen:sweep")
    assert services._beat(heartbeats.last(heartbeats.SWEEP)).level == "wrong"
    heartbeats.record(heartbeats.SWEEP)
    assert services._beat(heartbeats.last(heartbeats.SWEEP)).level == "ok"
    assert services._beat(time.time() - 3 * settings.SWEEP_SECONDS - 11).level == "wrong"


def test_a_broker_that_may_drop_messages(monkeypatch: pytest.MonkeyPatch, settings: Any, db: None) -> None:
    client = redis.from_url(redis_url(settings.VAR_DIR, VALKEY_SUPERUSER))
    before = client.config_get("maxmemory-policy")["maxmemory-policy"]
    monkeypatch.setattr(services, "PING_SECONDS", 0.1)  # there is no worker; another test covers that
    try:
        client.config_set("maxmemory-policy", "allkeys-lru")
        assert "set maxmemory-policy noeviction, not allkeys-lru" in only(list(services.broker()), "broker").text
    finally:
        client.config_set("maxmemory-policy", before)


def doctor(**environment: str) -> tuple[int, dict[str, str]]:
    """The exit code and sentences of the command with these settings."""
    given = {**os.environ, **environment}
    command = manage("doctor", "--json")
    done = subprocess.run(command, env=given, cwd=PROJECT, capture_output=True, text=True, check=False)
    return done.returncode, {each["about"]: each["said"] for each in json.loads(done.stdout)["checks"]}


def test_services_that_do_not_answer_are_named() -> None:
    code, said = doctor(DATABASE_URL=DEAD_DATABASE, REDIS_URL="redis://127.0.0.1:9")
    assert code == 1
    assert said["database"].endswith("check DATABASE_URL")
    assert "check REDIS_URL" in said["broker"]


def test_where_nothing_runs_it_says_what_to_start(tmp_path: Path) -> None:
    code, said = doctor(DATABASE_URL="", REDIS_URL="", BENCHDB_VAR=str(tmp_path))
    assert code == 1
    assert said["database"].startswith("The database is not running. Start `python manage.py up`")
