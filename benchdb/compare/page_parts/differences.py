"""The differences besides the factor, for pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchdb.compare.content import Content, Context

DIFFERENCES_SHOWN = 8  # the rest is folded


def show_differences(table: Content) -> list[Context]:
    """The differences besides the factor, for web/partials/findings.html; no severe difference is folded."""
    return [
        {
            "what": difference["label"],
            "severe": difference["severe"],
            "values": _values(difference["values"]),
            "inside": ", ".join(difference.get("inside", [])) or None,
            "folded": index >= DIFFERENCES_SHOWN and not difference["severe"],
        }
        for index, difference in enumerate(table["differences"])
    ]


def _values(values: Sequence[Mapping[str, Any]]) -> list[Context]:
    """Each value with the labels of its runs; the longest list is `others` if no label is in two lists."""
    rows = [label for value in values for label in value["where"]]
    largest = max(values, key=lambda value: len(value["where"]))
    short = len(largest["where"]) > 1 and len(set(rows)) == len(rows)

    def who(value: Mapping[str, Any]) -> str:
        if short and value is largest:
            return "others"
        # Runs within one cell differ, so several values can apply to every label.
        return "all" if len(value["where"]) == len(set(rows)) > 2 else ", ".join(value["where"])

    return [{"value": value["value"], "who": who(value)} for value in values]
