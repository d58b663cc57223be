"""Imports to test with: files, and imports in several states."""

from __future__ import annotations

import io
import tarfile
import zipfile
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from benchdb.ingest.imports import services
from benchdb.ingest.imports.form import StoreForm
from benchdb.ingest.imports.unpack import GivenFile
from benchdb.ingest.models import Import
from tests.agents.formats.texts import golden

IOZONE, BONNIE, ROUNDS = "iozone-auto_rw.txt", "bonnie-three_runs.txt", "fsload-three_repetitions.jsonl"


def given(*names: str) -> list[GivenFile]:
    """Golden files of the formats, as if chosen by a person."""
    return [GivenFile(name, golden(name).encode()) for name in names]


def begun(owner: User, *files: GivenFile, **stated: str) -> Import:
    """An import of these files, read at any size; `stated` are its tool and unit."""
    draft = services.begin(owner, files, **stated)
    services.background.read_files(draft.pk)
    draft.refresh_from_db()
    return draft


def form_of(draft: Import, **entered: Any) -> StoreForm:
    """The form, filled in with a machine's name."""
    form = StoreForm(draft.files.count(), {"machine": "old-1", **entered}, detected=draft.detected)
    assert form.is_valid(), form.errors
    return form


def stored(draft: Import, **entered: Any) -> Import:
    """The import, stored at any size."""
    entered = {"machine": "old-1", **entered}
    services.store(draft, form_of(draft, **entered), entered)
    services.background.store_runs(draft.pk)
    draft.refresh_from_db()
    return draft


def tar(files: dict[str, bytes], mode: str = "w:gz") -> bytes:
    """An archive of regular files."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def zipped(files: dict[str, bytes]) -> bytes:
    """A zip archive of regular files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def signed_in(owner: User) -> Client:
    """A client that is signed in as the owner."""
    client = Client()
    client.force_login(owner)
    return client
