"""The archive, a Django storage for raw output moved out of the database. Results and values never move.

`content_of` and `pieces_of` read raw output from either.
"""

from __future__ import annotations

import gzip
import hashlib
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from uuid import UUID

from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage, Storage, storages

from benchdb.runs.models import Artifact, Tombstone

from .pieces import PIECE_BYTES, stored_pieces

log = logging.getLogger(__name__)

AT_ONCE = 100
LEVEL = 6  # of compression: 0.13 s a MiB for a text of two letters; the highest takes 4.9 s and saves 6 %


class ArchiveFailed(Exception):
    """The archive did not return the stored content. Try again later, or repair it."""


class DurableFiles(FileSystemStorage):
    """Files that are on the disk when `save` returns, because the database deletes its copy afterwards."""

    def _save(self, name: str, content: File[bytes]) -> str:
        saved: str = super()._save(name, content)  # type: ignore[misc]
        path = Path(self.path(saved))
        for new in (path, *list(path.parents)[:3]):  # directories may be new
            descriptor = os.open(new, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        return saved


def _archive() -> Storage:
    return storages["archive"]


@contextmanager
def _asked(what: str) -> Iterator[None]:
    """Every storage has errors of its own: raise ArchiveFailed in their place."""
    try:
        yield
    except ArchiveFailed:
        raise
    except Exception as error:
        log.warning("the archive does not %s: %s", what, error)
        raise ArchiveFailed(f"the archive does not {what}") from error


def content_of(artifact: Artifact) -> bytes:
    """The raw output, byte for byte. Raises ArchiveFailed."""
    return b"".join(pieces_of(artifact))


def pieces_of(artifact: Artifact) -> Iterator[bytes]:
    """The raw output in pieces; in one piece unless `artifact.content` is deferred or archived.

    Raises ArchiveFailed, for archived content before the first piece: its digest is checked first.
    """
    if artifact.archived is not None:
        yield from _read(artifact.archived, bytes(artifact.sha256))
        return
    if "content" not in artifact.get_deferred_fields():
        yield bytes(artifact.content or b"")
        return
    row, length = Artifact.objects.filter(pk=artifact.pk), 0
    for piece in stored_pieces(row, "content"):
        length += len(piece)
        yield piece
    if length < artifact.size:  # it was archived or deleted meanwhile
        name = row.values_list("archived", flat=True).first()
        yield b"".join(_read(name or "", bytes(artifact.sha256)))[length:]


def _read(name: str, sha256: bytes) -> Iterator[bytes]:
    """Archived content in pieces. Raises ArchiveFailed before the first of them if the content has another digest."""
    with _asked(f"give {name}"), _archive().open(name) as file:
        digest = hashlib.sha256()
        for piece in _unpacked(file):
            digest.update(piece)
        if digest.digest() != sha256:
            raise ArchiveFailed(f"what the archive gives as {name} is not what was put there")
        file.seek(0)
        yield from _unpacked(file)


def _unpacked(file: File[bytes]) -> Iterator[bytes]:
    with gzip.GzipFile(fileobj=file) as content:
        while piece := content.read(PIECE_BYTES):
            yield piece


def movable(before: datetime) -> Iterator[int]:
    """Ids of artifacts in the database whose runs were received before that time, oldest first."""
    waiting = Artifact.objects.filter(archived=None, run__received_at__lt=before)
    last = 0
    while ids := list(waiting.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
        yield from ids
        last = ids[-1]


def move(artifact_id: int) -> int:
    """Put an artifact into the archive, read it back, and only then delete it in the database. Returns its bytes.

    May be killed and repeated. 0 if it has moved before or its run is deleted. Raises ArchiveFailed; then
    the artifact is still in the database.
    """
    artifact = Artifact.objects.defer("content").filter(pk=artifact_id, archived=None).first()
    if artifact is None:
        return 0
    content, sha256 = content_of(artifact), bytes(artifact.sha256)
    name = f"{str(artifact.run_id)[-2:]}/{artifact.run_id}/{artifact.ordinal}.gz"
    _forget(name)  # remains of an interrupted attempt
    with _asked(f"take {name}"):
        name = _archive().save(name, ContentFile(gzip.compress(content, LEVEL, mtime=0)))
    for _ in _read(name, sha256):  # all pieces
        pass
    if Artifact.objects.filter(pk=artifact_id, archived=None).update(archived=name, content=None):
        return len(content)
    _forget(name)  # its run was deleted meanwhile
    return 0


def forget_deleted(run_id: UUID, names: list[str]) -> None:
    """Delete the archived raw output of a deleted run. Raises ArchiveFailed."""
    for name in names:
        _forget(name)
    Tombstone.objects.filter(pk=run_id).update(archived=None)


def _forget(name: str) -> None:
    with _asked(f"delete {name}"):
        if _archive().exists(name):
            _archive().delete(name)
