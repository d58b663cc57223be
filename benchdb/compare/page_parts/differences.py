"""The differences besides the factor, for pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchdb.compare.content import Content, Context

DIFFERENCES_SHOWN = 8  # the rest is folded


def show_differences(table: Content) -> list[Context]:
    """What differs besides the factor, for web/partials/findings.html; no severe difference is folded."""
    return [
        {
            "what": found["label"],
            "severe": found["severe"],
            "values": _values(found["values"]),
            "inside": ", ".join(found.get("inside", [])) or None,
            "folded": place >= DIFFERENCES_SHOWN and not found["severe"],
        }
        for place, found in enumerate(table["differences"])
    ]


def _values(values: Sequence[Mapping[str, Any]]) -> list[Context]:
    """Each value with who has it; the largest part of several is `others`, where no row is in two parts."""
    rows = [label for value in values for label in value["where"]]
    largest = max(values, key=lambda value: len(value["where"]))
    short = len(largest["where"]) > 1 and len(set(rows)) == len(rows)

    def who(value: Mapping[str, Any]) -> str:
        if short and value is largest:
            return "others"
        # Runs that meet in one cell differ: then every place can have each of the values.
        return "all" if len(value["where"]) == len(set(rows)) > 2 else ", ".join(value["where"])

    return [{"value": value["value"], "who": who(value)} for value in values]
