"""A round as files: its series as CSV, a line for each sample, and its charts as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchdb.runs.store.round_series import ReadSeries
from benchdb.wording.formulas import Figure, TextFile
from benchdb.wording.formulas import write_csv as write_lines


def write_csv(series: Sequence[ReadSeries], file: TextFile) -> None:
    """Write the samples in base units, in long form, because series of a tool have times of their own."""
    write_lines(file, _lines(series))


def _lines(series: Sequence[ReadSeries]) -> Iterator[list[Figure]]:
    yield ["seconds", "name", "test", "unit", "kind", "value", "source", "device"]
    for each in series:
        kind = "sum" if each.grows else "level"
        for number, value in enumerate(each.points.tolist(), start=1):
            time = round(each.start + number * each.step, 6)
            yield [time, each.name, each.test or "", each.unit, kind, value, each.source, each.device or ""]
