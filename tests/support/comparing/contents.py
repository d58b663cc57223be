"""Contents of tables (schema `benchdb.table/2`) from numbers, without runs, for code that only reads contents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from benchdb.compare.content import Measure
from benchdb.compare.table.content import keys_of
from benchdb.compare.table.content import measure as measure_of
from benchdb.compare.verdicts.pairs import judge_pairs, stack
from benchdb.runs.cells.warnings import with_sentence
from benchdb.stats import summarise
from tests.support.comparing.best import best_set

Cell = dict[str, Any]
THROUGHPUT = Measure("throughput", "MiB/s", "B/s", 1024**2, True)
LATENCY = Measure("latency_p99", "ms", "s", 1e-3, False)
CPU = Measure("cpu_of_one_core", "%", "ratio", 0.01, False)
DEVICE = {"verdict": "device", "reason": "direct", "numbers": {}, "text": "The test bypassed the page cache."}
CACHED = {"verdict": "cached", "reason": "fits_in_memory", "numbers": {}, "text": "The file fits in memory."}


def cells(values: npt.ArrayLike) -> list[Cell]:
    """A cell of one run for each row of (C, n) values."""
    matrix = np.asarray(values, dtype=float)
    return [
        {
            "status": "ok",
            "error": None,
            "n": row.n,
            "mean": row.mean,
            "sd": row.sd,
            "median": row.median,
            "values": line.tolist(),
            "warnings": [with_sentence(warning) for warning in row.warnings],
            "runs": ["r"],
            "ordinals": [0],
            "clock": {"verdict": "fine"},
            "cache": DEVICE,
            "baseline": False,
        }
        for row, line in zip(summarise(matrix).rows(), matrix, strict=True)
    ]


def failed(error: str) -> Cell:
    """A cell of a test that failed."""
    empty = dict.fromkeys(("n", "mean", "sd", "median"))
    return {**cells([[1.0]])[0], **empty, "status": "failed", "error": error, "values": None, "warnings": []}


def content(
    rows: Sequence[str],
    heads: Sequence[str],
    cells_by_labels: Mapping[tuple[str, str, str], Cell],
    *,
    splits: Sequence[str] = ("",),
    row: str = "file_system",
    head: str = "test",
    split: str = "record_size",
    measures: Mapping[str, Measure] | None = None,
    margin: float = 0.05,
) -> dict[str, Any]:
    """A table of cells by (split, row, head); the first row is the baseline. `measures` are by head."""
    measure_by_head = {label: (measures or {}).get(label, THROUGHPUT) for label in heads}
    table = {
        "factor": {"names": [row], "label": row.replace("_", " ")},
        "margin": margin,
        "level": 0.05,
        "correction": "benjamini_hochberg",
        "baseline": rows[0],
        "heads": [{"label": label, "parts": {head: label}, **keys_of(measure_by_head[label])} for label in heads],
        "groups": [
            {
                "label": split_label,
                "parts": {split: split_label} if split_label else {},
                **keys_of(None),
                "rows": [
                    {
                        "label": label,
                        "parts": {row: label},
                        **keys_of(None),
                        "cells": _line(cells_by_labels, split_label, label, heads),
                    }
                    for label in rows
                ],
            }
            for split_label in splits
        ],
    }
    _judge(table)
    return table


def _line(
    cells_by_labels: Mapping[tuple[str, str, str], Cell], split: str, row: str, heads: Sequence[str]
) -> list[Cell | None]:
    return [cells_by_labels.get((split, row, head)) for head in heads]


def _judge(table: dict[str, Any]) -> None:
    """Add verdicts and best sets."""
    pairs, upward = [], []
    for group in table["groups"]:
        for c, head in enumerate(table["heads"]):
            column = [line["cells"][c] for line in group["rows"] if line["cells"][c] is not None]
            higher = measure_of(table, group, group["rows"][0], head).higher_is_better
            best = best_set(stack(column), higher_is_better=higher)
            if len(best.members) + len(best.left_out) < len(column):
                for member in best.members:
                    column[member]["best"] = True
            if (base := group["rows"][0]["cells"][c]) is not None:
                base["baseline"] = True
                compared = [(line["cells"][c], base) for line in group["rows"][1:] if line["cells"][c] is not None]
                pairs += compared
                upward += [higher] * len(compared)
    if pairs:
        judge_pairs(pairs, higher_is_better=upward, margin=table["margin"])
