"""The file beside a dump with its digest and the version of BenchDB; a dump without a manifest is unfinished."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

SCHEMA = "benchdb.backup/1"


class Unusable(Exception):
    """A backup that cannot be made or restored; the message has the reason and the remedy."""


@dataclass(frozen=True)
class Manifest:
    """The facts of one dump; `tables` maps each table to its number of rows."""

    schema: str
    made_at: str
    benchdb: str
    postgres: str
    migrations: list[str]
    tables: dict[str, int]
    name: str
    bytes: int
    sha256: str


def path_of(dump: Path) -> Path:
    """The path of a dump's manifest."""
    return dump.with_suffix(".json")


def digest_of(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write(path: Path, manifest: Manifest) -> None:
    """Write a manifest as a whole or not at all."""
    unfinished = path.with_name(f"{path.name}.part")
    with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(asdict(manifest), file, indent=2)
    settle(unfinished, path)


def settle(unfinished: Path, path: Path) -> None:
    """Rename a written file so that it is complete or absent, even after a power cut."""
    _to_disk(unfinished)
    unfinished.rename(path)
    _to_disk(path.parent)


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read(dump: Path) -> Manifest:
    """The manifest of a dump, whose size and digest are checked. Raises Unusable."""
    if not dump.is_file():
        raise Unusable(f"There is no file {dump}.")
    try:
        fields = json.loads(path_of(dump).read_text())
    except FileNotFoundError:
        raise Unusable(
            f"{path_of(dump)} is missing: the backup was not finished, or its other file is elsewhere."
        ) from None
    except ValueError as error:
        raise Unusable(f"{path_of(dump)} is no manifest of a backup: {error}.") from None
    if not isinstance(fields, dict) or fields.get("schema") != SCHEMA:
        raise Unusable(f"{path_of(dump)} is no manifest of the form {SCHEMA}; a newer BenchDB may have made it.")
    manifest = Manifest(**fields)
    if dump.stat().st_size != manifest.bytes or digest_of(dump) != manifest.sha256:
        raise Unusable(f"{dump} is not as it was made: its SHA-256 is not the one of {path_of(dump)}.")
    return manifest
