"""Reads tables that earlier releases froze: `benchdb.table/2` has labels where later ones have values as well."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from benchdb.compare.query.dimensions import dimension

from .content import SCHEMA

OLDER = "benchdb.table/2"
UNITS = "KMGTPE"
# `depth 8`, `8`, `about 40 %`, `chunk size 64 KiB`.
_NUMBER = re.compile(rf"[a-z _-]*?(\d+(?:\.\d+)?)(?:\s?([{UNITS}]?)i?B|\s%)?")


def upgraded(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """The document with the values that its labels show, null where a label shows no number; a newer one as it is."""
    if document["schema"] != OLDER:
        return document
    groups = [
        {**_with_values(group), "rows": [_with_values(row) for row in group["rows"]]} for group in document["groups"]
    ]
    return {**document, "schema": SCHEMA, "heads": [_with_values(head) for head in document["heads"]], "groups": groups}


def _with_values(part: Mapping[str, Any]) -> dict[str, Any]:
    return {**part, "values": {name: _number(name, label) for name, label in part["parts"].items()}}


def _number(name: str, label: str) -> float | None:
    """The number in a label, sizes in bytes, of a dimension that can have numbers."""
    can = ":" in name or dimension(name).kind != "text"
    match = _NUMBER.fullmatch(label) if can else None
    return None if match is None else float(match[1]) * 1024 ** (UNITS.find(match[2] or " ") + 1)
