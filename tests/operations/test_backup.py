"""`manage.py backup` and `restore`: every row and permalink is restored; an unusable backup changes nothing."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from psycopg import sql

from benchdb.compare.models import Permalink
from benchdb.compare.permalinks.services import share
from benchdb.embedded.config import PROJECT, SUPERUSER, manage
from benchdb.operations.postgres import parameters, program, tables
from benchdb.operations.restore import HEAD_BYTES, understood
from benchdb.runs.models import Run
from tests.support.comparing.comparisons import compared_runs, ids, surface_run

PATHS = ("/c/{}/", "/c/{}/embed", "/c/{}.json", "/c/{}.csv")
ASK = """
import json, sys, django
django.setup()
from django.test import Client
print(json.dumps([Client().get(path).content.decode() for path in sys.argv[1:]]))
"""
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def other() -> Iterator[str]:
    """The URL of another, empty database."""
    name = f"restored_{uuid4().hex}"
    with psycopg.connect(**parameters(), autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        database = connection.settings_dict
        host = str(database["HOST"]).replace("/", "%2F")
        password = f":{database['PASSWORD']}" if database["PASSWORD"] else ""
        yield f"postgresql://{database['USER']}{password}@{host}:{database['PORT']}/{name}"
        # Only our sessions: FORCE would also end an autovacuum, without permission, which DROP does by itself.
        ours = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND usename = current_user"
        server.execute(ours, [name])
        server.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(name)))


def backup(directory: Path, **options: Any) -> Path:
    call_command("backup", directory, stdout=io.StringIO(), **options)
    return max(directory.glob("*.dump"))


def restore(url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DATABASE_URL": url}
    command = manage("restore", *arguments)
    return subprocess.run(command, env=environment, cwd=PROJECT, capture_output=True, text=True, check=False)


def contents(database: psycopg.Connection) -> dict[str, str]:
    """A digest of all rows of each table."""
    query = "SELECT md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text COLLATE \"C\"), '')) FROM {} t"
    digests = {}
    for name in tables(database):
        (digest,) = database.execute(sql.SQL(query).format(sql.Identifier(name))).fetchone() or ("",)
        digests[name] = str(digest)
    return digests


def stored(url: str | None = None) -> dict[str, str]:
    with psycopg.connect(url) if url else psycopg.connect(**parameters()) as database:
        return contents(database)


def test_every_row_and_every_permalink_comes_back(tmp_path: Path, owner: User, other: str, client: Client) -> None:
    links = [share(owner, "table", ids(compared_runs(owner)))[0]]
    links.append(share(owner, "surface", f"run={surface_run(owner).id}")[0])
    dump = backup(tmp_path)
    before = stored()
    paths = [path.format(link.id) for link in links for path in PATHS]
    shown = [client.get(path).content.decode() for path in paths]
    Run.objects.all().delete()  # changes of the first database have no effect
    Permalink.objects.all().delete()

    done = restore(other, str(dump))

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Restored 4 runs (")
    assert stored(other) == before
    assert {"runs_run", "runs_result", "runs_artifact", "compare_permalink"} <= before.keys()
    answer = subprocess.run(
        [sys.executable, "-c", ASK, *paths],
        env={
            **os.environ,
            "DATABASE_URL": other,
            "PYTHONPATH": ".:agents",
            "DJANGO_SETTINGS_MODULE": "tests.support.plain_static",
        },
        cwd=PROJECT,
        capture_output=True,
        check=True,
    )
    assert json.loads(answer.stdout) == shown


def test_what_is_there_is_kept_unless_replacing_is_asked_for(tmp_path: Path, owner: User, other: str) -> None:
    compared_runs(owner)
    dump = backup(tmp_path)
    assert restore(other, str(dump)).returncode == 0
    with psycopg.connect(other) as database:
        database.execute("UPDATE auth_user SET username = 'changed'")
    changed = stored(other)

    refused = restore(other, str(dump))
    assert (refused.returncode, "The database is not empty (" in refused.stderr) == (1, True)
    assert "With --replace" in refused.stderr
    assert stored(other) == changed

    assert restore(other, str(dump), "--replace").returncode == 0
    assert stored(other) == stored()


def test_a_dump_that_fails_half_way_changes_nothing(tmp_path: Path, owner: User) -> None:
    """The number of rows is compared before the commit."""
    dump = backup(tmp_path)
    manifest = json.loads(dump.with_suffix(".json").read_text())
    manifest["tables"]["auth_user"] += 1
    dump.with_suffix(".json").write_text(json.dumps(manifest))
    before = stored()
    with pytest.raises(CommandError, match=r"nothing has changed: .*auth_user has other rows"):
        call_command("restore", dump, replace=True)
    assert stored() == before


def test_a_backup_is_whole_or_not_there(tmp_path: Path, owner: User) -> None:
    dump = backup(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {dump.name, dump.with_suffix(".json").name}
    assert dump.stat().st_mode & 0o777 == 0o600
    manifest = json.loads(dump.with_suffix(".json").read_text())
    assert (manifest["schema"], manifest["tables"]["auth_user"]) == ("benchdb.backup/1", 1)
    assert "runs.0001_initial" in manifest["migrations"]


def test_what_is_not_as_it_was_made_is_refused(tmp_path: Path, owner: User) -> None:
    dump = backup(tmp_path)
    with pytest.raises(CommandError, match="There is no file"):
        call_command("restore", tmp_path / "nothing.dump")

    whole = dump.read_bytes()
    dump.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(CommandError, match="is not as it was made"):
        call_command("restore", dump, replace=True)

    dump.write_bytes(whole)
    dump.with_suffix(".json").unlink()
    with pytest.raises(CommandError, match=r"\.json is missing: the backup was not finished"):
        call_command("restore", dump, replace=True)
    assert User.objects.filter(pk=owner.pk).exists()


def test_one_of_a_newer_benchdb_is_refused(tmp_path: Path, owner: User) -> None:
    dump = backup(tmp_path)
    manifest = json.loads(dump.with_suffix(".json").read_text())
    of_a_former_app = "federation.0001_sources"  # which makes no backup newer
    manifest.update(benchdb="9.0", migrations=[*manifest["migrations"], of_a_former_app, "runs.0099_future"])
    dump.with_suffix(".json").write_text(json.dumps(manifest))
    with pytest.raises(CommandError, match=r"BenchDB 9\.0, which is newer \(it has runs\.0099_future\): update first"):
        call_command("restore", dump, replace=True)


def test_a_setting_that_servers_before_17_do_not_know_is_not_sent(tmp_path: Path, owner: User) -> None:
    command = [program("pg_restore", 18), "--file=-", backup(tmp_path)]
    printed = subprocess.run(command, capture_output=True, check=True).stdout
    head, rest = printed[:HEAD_BYTES], printed[HEAD_BYTES:]
    assert b"transaction_timeout" in head
    assert b"transaction_timeout" not in understood(head, 16) + rest
    assert understood(head, 17) == head


def test_old_ones_are_deleted_where_that_is_asked_for(tmp_path: Path, owner: User) -> None:
    for name in ("benchdb-20200101T000000Z", "benchdb-20200102T000000Z"):
        (tmp_path / f"{name}.dump").touch()
        (tmp_path / f"{name}.json").touch()
    (tmp_path / "benchdb-20200103T000000Z.dump").touch()  # unfinished, so it does not count
    newest = backup(tmp_path, keep=2)
    assert {path.stem for path in tmp_path.glob("*.json")} == {newest.stem, "benchdb-20200102T000000Z"}
    with pytest.raises(CommandError, match="--keep 0 would keep nothing"):
        call_command("backup", tmp_path, keep=0)


def test_a_directory_that_cannot_be_written_is_named(tmp_path: Path, owner: User) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CommandError, match="file"):
        call_command("backup", tmp_path / "file")


def test_rows_on_another_server_are_refused(tmp_path: Path, owner: User) -> None:
    wrapper = "FOREIGN DATA WRAPPER nowhere"
    table = f"CREATE {wrapper}; CREATE SERVER far {wrapper}; CREATE FOREIGN TABLE afar (id int) SERVER far"
    with psycopg.connect(**{**parameters(), "user": SUPERUSER}, autocommit=True) as database:
        database.execute(sql.SQL("{}; GRANT SELECT ON afar TO public").format(sql.SQL(table)))
        try:
            with pytest.raises(CommandError, match="The rows of afar lie on another server"):
                backup(tmp_path)
        finally:
            database.execute(f"DROP {wrapper} CASCADE")
    assert not [*tmp_path.iterdir()]
