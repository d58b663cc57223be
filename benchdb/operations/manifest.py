"""What stands beside a dump: a digest, and which BenchDB made it. A dump without it was not finished."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

SCHEMA = "benchdb.backup/1"


class Unusable(Exception):
    """A backup that cannot be made or restored; the text says why and what to do."""


@dataclass(frozen=True)
class Manifest:
    """The facts of one dump. `tables` has the number of rows of each table."""

    schema: str
    made_at: str
    benchdb: str
    postgres: str
    migrations: list[str]
    tables: dict[str, int]
    name: str
    bytes: int
    sha256: str


def beside(dump: Path) -> Path:
    """Where the manifest of a dump is."""
    return dump.with_suffix(".json")


def digest_of(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write(path: Path, manifest: Manifest) -> None:
    """Write it as a whole or not at all."""
    part = path.with_name(f"{path.name}.part")
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(asdict(manifest), file, indent=2)
    settle(part, path)


def settle(part: Path, path: Path) -> None:
    """Give a file that is written its name, so that it has all of its bytes or is not there, also after a power cut."""
    _to_disk(part)
    part.rename(path)
    _to_disk(path.parent)


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read(dump: Path) -> Manifest:
    """The manifest of a dump that is there as it was made. Raises Unusable."""
    if not dump.is_file():
        raise Unusable(f"There is no file {dump}.")
    try:
        found = json.loads(beside(dump).read_text())
    except FileNotFoundError:
        raise Unusable(
            f"{beside(dump)} is missing: the backup was not finished, or its other file is elsewhere."
        ) from None
    except ValueError as error:
        raise Unusable(f"{beside(dump)} is no manifest of a backup: {error}.") from None
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise Unusable(f"{beside(dump)} is no manifest of the form {SCHEMA}; a newer BenchDB may have made it.")
    manifest = Manifest(**found)
    if dump.stat().st_size != manifest.bytes or digest_of(dump) != manifest.sha256:
        raise Unusable(f"{dump} is not as it was made: its SHA-256 is not the one of {beside(dump)}.")
    return manifest
