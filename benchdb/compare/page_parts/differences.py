"""The differences besides the factor, for pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchdb.compare.content import ComparedContent, DifferentValue

DIFFERENCES_SHOWN = 8  # the rest is folded


@dataclass(frozen=True, slots=True)
class ShownValue:
    """A value and who has it."""

    value: str
    who: str


@dataclass(frozen=True, slots=True)
class ShownDifference:
    """A difference for web/partials/findings.html; `inside` names the cells whose runs differ."""

    what: str
    severe: bool
    values: list[ShownValue]
    inside: str | None
    folded: bool


def show_differences(content: ComparedContent) -> list[ShownDifference]:
    """The differences besides the factor; no severe difference is folded."""
    return [
        ShownDifference(
            what=difference.label,
            severe=difference.severe,
            values=show_values(difference.values),
            inside=", ".join(difference.inside) or None,
            folded=index >= DIFFERENCES_SHOWN and not difference.severe,
        )
        for index, difference in enumerate(content.differences)
    ]


def show_values(values: Sequence[DifferentValue]) -> list[ShownValue]:
    """Each value with the labels of its runs; the longest list is `others` if no label is in two lists."""
    rows = [label for value in values for label in value.where]
    largest = max(values, key=lambda value: len(value.where))
    short = len(largest.where) > 1 and len(set(rows)) == len(rows)

    def who(value: DifferentValue) -> str:
        if short and value is largest:
            return "others"
        # Runs within one cell differ, so several values can apply to every label.
        return "all" if len(value.where) == len(set(rows)) > 2 else ", ".join(value.where)

    return [ShownValue(value.value, who(value)) for value in values]
