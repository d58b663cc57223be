"""The formats there are. To add one, write its module with `MEDIA_TYPE` and `export`, and name it here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from . import csv, json


class Format(Protocol):
    """What a format module offers."""

    MEDIA_TYPE: str

    def export(self, content: Mapping[str, Any]) -> str:
        """A table or surface (its plain data, live or frozen) as text."""
        ...


FORMATS: dict[str, Format] = {"json": json, "csv": csv}
