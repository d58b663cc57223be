"""The corpus of real outputs beside the project: read in place, never copied. Absent on most machines."""

from pathlib import Path

import pytest

from tests.plugins.missing import SHARED

CORPUS = SHARED / "corpus"
PUBLIC = CORPUS / "public"


def paths(*tools: str) -> list[Path]:
    """Every file in the folders of these tools, or of all tools; empty if the corpus is absent."""
    found = (path for part in ("own", "public") for path in (CORPUS / part).glob("*/*"))
    return sorted(path for path in found if path.is_file() and (not tools or path.parent.name in tools))


def corpus_files(*tools: str) -> list:
    """Parameters for `parametrize`: the path of each file, or one skipped case with the reason."""
    found = [pytest.param(path, id=f"{path.parent.name}/{path.name}") for path in paths(*tools)]
    return found or [pytest.param(None, id="absent", marks=pytest.mark.needs("../shared/corpus/*/*/*"))]


def read(path: Path) -> str:
    """The text as `benchagent parse` reads it."""
    return path.read_bytes().decode("utf-8", "replace")
