"""Figures against figures: two copies of a table, and times against speeds."""

from __future__ import annotations

import pytest

from benchdb.publications.checks.figures import time_of_run, twice_printed

from .articles import TABLES, article


@pytest.mark.parametrize(
    ("exact", "agrees"), [(275.4, True), (275.6, True), (276.0, False), (274.5, True), (274.4, False)]
)
def test_a_figure_rounded_or_cut_off_beside_the_one_it_was_taken_from(exact: float, agrees: bool) -> None:
    line = {"test": "random_seek", "metric": "rate", "summary": {"mean": exact}}
    (found,) = twice_printed(article(), {"fine": [line]})
    assert (found.subject, found.agrees) == ("figures:coarse:random_seek", agrees)
    assert len(found.statements) == 2


@pytest.mark.parametrize(("seconds", "agrees"), [("10", True), ("9", False)])
def test_a_run_takes_no_less_time_than_its_tests(seconds: str, agrees: bool) -> None:
    text = f"""
    [[tables]]
    key = "time"
    run = "fine"
    columns = [{{label = "time", test = "run", metric = "elapsed", unit = "s"}},
               {{label = "write", test = "write", metric = "throughput", unit = "MiB/s", file_size = "1000M"}}]
    [[tables.rows]]
    label = "xfs"
    cells = ["{seconds}", "100"]
    """
    (result,) = time_of_run(article(tables=TABLES + text))
    assert (result.subject, result.agrees) == ("time:fine", agrees)
