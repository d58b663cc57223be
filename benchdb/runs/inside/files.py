"""A round as files: its series as CSV, a line for each sample, and its charts as a picture."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from typing import Protocol

from benchdb.runs.store.round_series import ReadSeries


class _Text(Protocol):
    def write(self, text: str, /) -> object: ...


def write_csv(series: Sequence[ReadSeries], file: _Text) -> None:
    """Write the samples in base units, in long form, because series of a tool have times of their own."""
    writer = csv.writer(file)
    writer.writerow(["seconds", "name", "test", "unit", "kind", "value", "source", "device"])
    writer.writerows(_rows(series))


def _rows(series: Sequence[ReadSeries]) -> Iterator[list[str | float]]:
    for each in series:
        kind = "sum" if each.grows else "level"
        for number, value in enumerate(each.points.tolist(), start=1):
            time = round(each.start + number * each.step, 6)
            yield [time, each.name, each.test or "", each.unit, kind, value, each.source, each.device or ""]
