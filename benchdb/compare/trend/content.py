"""The content of a trend (schema `benchdb.trend/1`), cell by cell."""

from __future__ import annotations

from collections.abc import Iterator

from benchdb.compare.content import Content, Measure, Placed


def measure(content: Content) -> Measure:
    """The measure of all cells."""
    return Measure(**{name: content[name] for name in Measure._fields})


def cells(content: Content) -> Iterator[Placed]:
    """Every cell, by series and run: split is the file system, row the start of the run, column the test."""
    shared_measure, run_list = measure(content), {run["id"]: run for run in content["run_list"]}
    for s, series in enumerate(content["series"]):
        for r, (run, cell) in enumerate(zip(series["runs"], series["cells"], strict=True)):
            yield Placed(
                f"{s}-{r}-0", series["label"], run_list[run]["started_at"], content["label"], cell, shared_measure
            )
