"""Raw output read in pieces, from the database and from the archive."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings

from benchdb.runs.models import Artifact, Run
from benchdb.runs.store import archive, pieces
from tests.support.documents import artifact
from tests.support.store import store_run

TEXT = "".join(f"line {i}\n" for i in range(1, 100))
SIZE = 100  # bytes of a piece


@pytest.fixture(autouse=True)
def short_pieces(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, settings: Any) -> Any:
    """Pieces of a few lines, and an archive of this test."""
    monkeypatch.setattr(pieces, "PIECE_BYTES", SIZE)
    monkeypatch.setattr(archive, "PIECE_BYTES", SIZE)
    options = {"BACKEND": "benchdb.runs.store.archive.DurableFiles", "OPTIONS": {"location": tmp_path}}
    with override_settings(STORAGES={**settings.STORAGES, "archive": options}):
        yield


@pytest.fixture
def run(owner: User) -> Run:
    return store_run(owner, artifacts=[artifact("iozone.txt", TEXT)])


def stored() -> Artifact:
    return Artifact.objects.defer("content").get()


@pytest.mark.parametrize("moved", [False, True])
def test_pieces_are_the_whole_output(run: Run, moved: bool) -> None:
    if moved:
        archive.move(stored().pk)

    read = list(archive.pieces_of(stored()))

    assert b"".join(read) == TEXT.encode()
    assert {len(piece) for piece in read[:-1]} == {SIZE}


def test_an_output_that_is_archived_meanwhile_is_whole(run: Run) -> None:
    reading = archive.pieces_of(stored())
    first = next(reading)

    archive.move(stored().pk)

    assert first + b"".join(reading) == TEXT.encode()


def test_an_output_that_is_deleted_meanwhile_ends_with_an_error(run: Run) -> None:
    reading = archive.pieces_of(stored())
    next(reading)

    run.delete()

    with pytest.raises(archive.ArchiveFailed):
        list(reading)


@pytest.mark.parametrize("moved", [False, True])
def test_a_download_in_pieces_is_whole(client: Client, run: Run, moved: bool) -> None:
    if moved:
        archive.move(stored().pk)

    answer: Any = client.get(f"/api/v1/runs/{run.id}/artifacts/iozone.txt")

    assert answer.getvalue() == TEXT.encode()
    assert (answer["Content-Length"], answer["Content-Type"]) == (str(len(TEXT)), "text/plain; charset=utf-8")
