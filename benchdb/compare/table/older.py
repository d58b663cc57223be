"""Reads tables that earlier releases froze.

`benchdb.table/2` has labels where later ones have values as well, and sentences where later ones also say of what kind
they are. Only here is anything read out of a text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from benchdb.compare.query.dimensions import dimension

from .content import SCHEMA
from .titles import ALONE

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
    return {
        **document,
        "schema": SCHEMA,
        "heads": [_with_values(head) for head in document["heads"]],
        "groups": groups,
        "findings": [{**finding, **_about(finding["text"])} for finding in document["findings"]],
        "warnings": [*_alone(document), *document["warnings"]],
    }


def _with_values(part: Mapping[str, Any]) -> dict[str, Any]:
    return {**part, "values": {name: _number(name, label) for name, label in part["parts"].items()}}


def _about(sentence: str) -> dict[str, Any]:
    """The kind of a finding as far as its words show it, and the value of the factor in its subject."""
    subject = sentence.partition(" is ")[0].rpartition(": ")[2]
    return {"kind": "along" if "depend" in sentence or " from " in sentence else "", "values": [subject]}


def _alone(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    left_out = any(note.startswith("Left out: ") for note in document["notes"])
    return [asdict(ALONE)] if left_out and len(document["run_list"]) == 1 else []


def _number(name: str, label: str) -> float | None:
    """The number in a label, sizes in bytes, of a dimension that can have numbers."""
    can = ":" in name or dimension(name).kind != "text"
    match = _NUMBER.fullmatch(label) if can else None
    return None if match is None else float(match[1]) * 1024 ** (UNITS.find(match[2] or " ") + 1)
