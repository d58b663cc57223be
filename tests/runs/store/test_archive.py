"""`manage.py archive`: raw output moves, everything that reads it still works, and deletions reach the archive."""

import io
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.storage import storages
from django.core.management import CommandError, call_command
from django.test import Client, override_settings

from benchdb.ingest.reparse import reparse
from benchdb.runs.models import Artifact, Result, Run, Tombstone
from benchdb.runs.services import delete_run
from benchdb.runs.store import archive
from benchdb.runs.tasks import tidy_archive
from tests.support.documents import artifact, iozone_document
from tests.support.html import read
from tests.support.store import store_run

TEXT = "first line\nsecond line\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Any) -> Any:
    """The archive of this test."""
    options = {"BACKEND": "benchdb.runs.store.archive.DurableFiles", "OPTIONS": {"location": tmp_path / "archive"}}
    with override_settings(STORAGES={**settings.STORAGES, "archive": options}):
        yield tmp_path / "archive"


@pytest.fixture
def run(owner: User) -> Run:
    return store_run(owner, artifacts=[artifact("iozone.txt", TEXT), artifact("more/notes.txt", "notes\n")])


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def move(days: int = 0) -> str:
    out = io.StringIO()
    call_command("archive", older_than=days, stdout=out)
    return out.getvalue()


def test_it_moves_and_pages_and_downloads_are_the_same(client: Client, run: Run, folder: Path) -> None:
    addresses = [f"/runs/{run.id}/raw/iozone.txt", f"/api/v1/runs/{run.id}/artifacts/iozone.txt"]
    before = [client.get(address).content for address in addresses]
    values = list(Result.objects.order_by("pk").values_list("values", flat=True))

    assert move() == "2 texts moved, 29 B.\n"

    assert {row.content for row in Artifact.objects.all()} == {None}
    assert [file.read_bytes()[8] for file in files(folder)] == [0, 0]  # gzip's mark: not the slowest level
    assert [client.get(address).content for address in addresses] == before
    assert list(Result.objects.order_by("pk").values_list("values", flat=True)) == values
    assert f"/runs/{run.id}/raw/iozone.txt" in read(client.get(f"/runs/{run.id}/")).links.values()
    assert move() == "0 texts moved, 0 B.\n"


def test_only_runs_that_are_old_enough(run: Run) -> None:
    assert move(days=1).startswith("0 texts")
    Run.objects.update(received_at=run.received_at - timedelta(days=2))
    assert move(days=1).startswith("2 texts")


def test_it_is_read_again_from_there(owner: User) -> None:
    run = store_run(owner, iozone_document())
    here = reparse(run.id)
    assert not here.refusal
    move()
    assert str(reparse(run.id)) == str(here)


def test_a_kill_before_the_database_forgot_it_costs_nothing(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(archive, "_read", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            move()
    assert len(files(folder)) == 1
    assert not Artifact.objects.exclude(archived=None).exists()
    assert move().startswith("2 texts")
    assert len(files(folder)) == 2


def test_what_the_archive_does_not_give_back_stays_in_the_database(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive.gzip, "compress", lambda *_, **__: b"something else")
    with pytest.raises(CommandError, match="0 texts had moved; the rest is where it was"):
        move()
    assert archive.content_of(Artifact.objects.get(name="iozone.txt")) == TEXT.encode()


def test_an_archive_that_is_away_or_changed_is_said(client: Client, run: Run, folder: Path) -> None:
    move()
    kept = folder.rename(folder.with_name("away"))
    for address in (f"/runs/{run.id}/raw/iozone.txt", f"/api/v1/runs/{run.id}/artifacts/iozone.txt"):
        answer = client.get(address)
        assert (answer.status_code, b"The archive of raw output does not answer" in answer.content) == (503, True)
    assert client.get(f"/runs/{run.id}/").status_code == 200

    shutil.copytree(kept, folder)
    path = storages["archive"].path(Artifact.objects.get(name="iozone.txt").archived)
    Path(path).write_bytes(archive.gzip.compress(b"changed"))
    assert client.get(f"/runs/{run.id}/raw/iozone.txt").status_code == 503


def test_what_is_deleted_is_deleted_there(run: Run, folder: Path, owner: User) -> None:
    run_id, other = run.id, store_run(owner)
    move()
    delete_run(run)
    assert tidy_archive() == 1
    assert [path.parent.name for path in files(folder)] == [str(other.id)]
    assert Tombstone.objects.get(pk=run_id).archived is None
    assert tidy_archive() == 0


def test_days_that_make_no_sense(db: None) -> None:
    with pytest.raises(CommandError, match="--older-than -1 is not between 0 and 36500"):
        move(days=-1)
