"""A table of a comparison: its cells with figures and verdicts, as objects and as a data frame."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from benchagent.errors import UsageError
from benchagent.verdicts import VERDICTS

from .checked import checked, record

if TYPE_CHECKING:
    import pandas

KIND = "benchdb.table/"


@dataclass(frozen=True)
class TableCell:
    """A cell; figures are in base units (bytes/s, seconds, operations/s, ratio) and None if they do not exist.

    `status` is ok, failed, unmeasurable, mixed, computing or deleted, `error` the reason. `low` and `high` bound the
    95 % interval of the mean, `values` are those of its rounds, or the means of its runs.

    `verdict` is better, worse, equivalent, inconclusive or none, "" for the baseline itself; `why` says it as a
    sentence. `ratio` is cell ÷ baseline with its 95 % interval from `ratio_low` to `ratio_high`; `p_adjusted` is
    corrected for all verdicts of the table. `tail` is the verdict on the slowest operations, "" if there is none.
    `cache` is cached, mixed, unknown or device: what the test measured.
    """

    split: str
    row: str
    column: str
    metric: str
    unit: str
    higher_is_better: bool
    status: str
    error: str | None
    n: int | None
    mean: float | None
    sd: float | None
    low: float | None
    high: float | None
    median: float | None
    baseline: bool
    best: bool
    verdict: str
    why: str
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None
    p_adjusted: float | None
    change: str
    tail: str
    cache: str
    warnings: tuple[str, ...]
    runs: tuple[str, ...]
    values: tuple[float | None, ...]
    shown: str
    shown_unit: str


@dataclass(frozen=True)
class Table:
    """A table. `address` is its page, `findings` are its sentences, `baseline` is what the others are compared with.

    `frozen` if it is that of a permalink. `query` selects it again.
    """

    address: str
    frozen: bool
    title: str
    subtitle: str
    query: str
    factor: str
    baseline: str
    findings: tuple[str, ...]
    notes: tuple[str, ...]
    cells: tuple[TableCell, ...]

    def records(self) -> list[dict[str, object]]:
        """A dictionary for each cell, which pandas, Polars and csv.DictWriter take."""
        return [asdict(cell) for cell in self.cells]

    def to_pandas(self) -> pandas.DataFrame:
        """A line for each cell, with the fields of `TableCell` as columns. Needs pandas."""
        import pandas

        return pandas.DataFrame(self.records())


def table_of(content: Mapping[str, Any]) -> Table:
    """The table of the content that the server sends. Raises UsageError for another kind, and one of MISSHAPEN."""
    if not checked(content["schema"], "str").startswith(KIND):
        raise UsageError(f"{content['schema']!r} is not a table; the client reads tables only.")
    facts = {
        **content,
        "factor": content["factor"]["label"],
        "findings": [finding["text"] for finding in content["findings"]],
        "cells": [],
    }
    return replace(record(Table, facts), cells=tuple(_cells(content)))


def _cells(content: Mapping[str, Any]) -> Iterator[TableCell]:
    """The measured cells in reading order; the measure is that of the column, the row or the part of the table."""
    for group in content["groups"]:
        for row in group["rows"]:
            for head, cell in zip(content["heads"], row["cells"]):
                if cell is not None:
                    measure, *_ = (part for part in (head, row, group) if part["metric"] is not None)
                    yield _cell(group["label"], row["label"], head["label"], measure, cell)


def _cell(split: str, row: str, column: str, measure: Mapping[str, Any], cell: Mapping[str, Any]) -> TableCell:
    verdict, tail = cell["verdict"] or {}, cell.get("tail") or {}
    facts = {
        **cell,
        "split": split,
        "row": row,
        "column": column,
        "metric": measure["metric"],
        "unit": measure["base_unit"],
        "higher_is_better": measure["higher_is_better"],
        "verdict": verdict.get("kind", ""),
        "why": verdict.get("why", ""),
        "ratio": verdict.get("ratio"),
        "ratio_low": verdict.get("low"),
        "ratio_high": verdict.get("high"),
        "p_adjusted": verdict.get("p_adjusted"),
        "change": verdict.get("change", ""),
        "tail": tail.get("kind", ""),
        "cache": cell["cache"]["verdict"],
        "warnings": [warning["text"] for warning in [*cell["warnings"], *verdict.get("warnings", ())]],
        "values": cell["values"] or [],
        "shown": cell["text"]["shown"],
        "shown_unit": measure["unit"],
    }
    found = record(TableCell, facts)
    if found.verdict not in ("", *VERDICTS):
        raise ValueError("expected a kind of verdict")
    return found
