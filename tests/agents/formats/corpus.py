"""The corpus of real outputs beside the project: read in place, never copied. Absent on most machines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plugins.missing import SHARED

CORPUS = SHARED / "corpus"
PUBLIC = CORPUS / "public"


def paths(*tools: str) -> list[Path]:
    """Every file of these tools' folders, or of all; empty where the corpus is absent."""
    found = (path for part in ("own", "public") for path in (CORPUS / part).glob("*/*"))
    return sorted(path for path in found if path.is_file() and (not tools or path.parent.name in tools))


def corpus_files(*tools: str) -> list:
    """What `parametrize` takes: a path a file, or one skipped case that says why there is none."""
    found = [pytest.param(path, id=f"{path.parent.name}/{path.name}") for path in paths(*tools)]
    return found or [pytest.param(None, id="absent", marks=pytest.mark.needs("../shared/corpus/*/*/*"))]


def read(path: Path) -> str:
    """The text as `benchagent parse` sees it."""
    return path.read_bytes().decode("utf-8", "replace")
