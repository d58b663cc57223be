"""The conclusions and figures of a reproduction as CSV."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO

from benchdb.facts.options import settings_value
from benchdb.wording.formulas import write_csv

from .content import StoredQuantityPlace, StoredRatio, StoredReproduction
from .models import Reproduction

COLUMNS = (
    *("kind", "target", "baseline", "workload", "test", "metric", "file_size", "record_size", "threads", "params"),
    *("verdict", "verdict_again", "original_ratio", "original_low", "original_high"),
    *("repetition_ratio", "repetition_low", "repetition_high", "change", "change_low", "change_high"),
    *("answer", "reason"),
)
Row = list[str | int | float | None]


def as_csv(pair: Reproduction) -> bytes:
    """A line for each conclusion, then for each figure; `change` is repetition ÷ original. Sizes are bytes."""
    text = StringIO()
    write_csv(text, [COLUMNS, *_rows(pair.content)])
    return text.getvalue().encode()


def _rows(content: StoredReproduction) -> Iterator[Row]:
    for each in content["conclusions"]:
        ratios = [*_ratio(each["original"]), *_ratio(each["repetition"]), *_ratio(each["change"])]
        verdicts = [each["verdict"], each["verdict_again"]]
        yield ["conclusion", *_place(each, each["baseline"]), *verdicts, *ratios, each["answer"], each["reason"]]
    for figure in content["figures"]:
        empty: Row = [None] * 8
        yield [
            "figure",
            *_place(figure, None),
            *empty,
            *_ratio(figure["change"]),
            figure["answer"],
            figure["reason"],
        ]


def _place(row: StoredQuantityPlace, baseline: str | None) -> Row:
    sizes = [row["file_size"], row["record_size"], row["threads"]]
    return [row["target"], baseline, row["workload"], row["test"], row["metric"], *sizes, settings_value(row["params"])]


def _ratio(ratio: StoredRatio) -> Row:
    return [ratio["ratio"], ratio["low"], ratio["high"]]
