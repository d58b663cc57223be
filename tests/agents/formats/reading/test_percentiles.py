"""Percentiles with fewer than ten slower operations are in no result, of any tool."""

from __future__ import annotations

import re

from benchagent.formats import parse
from benchagent.formats.model import Result
from benchagent.formats.reading.latency_figures import LEAST_BEYOND, SHARES, has_enough_beyond
from benchdb.stats.distributions import percentiles
from tests.agents.formats.texts import GOLDEN


def test_the_rule_is_that_of_the_server() -> None:
    assert LEAST_BEYOND == percentiles.LEAST_BEYOND
    assert [has_enough_beyond(0.999, operations) for operations in (9_999, 10_000)] == [False, True]


def test_every_percentile_of_fio_has_ten_slower_operations() -> None:
    """The number of operations is that of the rate and the time of the same work."""
    texts = [path.read_bytes() for path in GOLDEN.glob("fio-*.json")]
    figures = {(text, work_of(result), result.metric): result for text in texts for result in parse(text).results}
    shares = [
        (SHARES[metric], rate.values[0] * figures[text, work, "elapsed"].values[0])
        for text, work, metric in figures
        if metric in SHARES and (rate := figures.get((text, work, "rate"))) and rate.values[0]
    ]
    assert len(shares) > 5
    assert all(has_enough_beyond(share, 1.01 * operations) for share, operations in shares)


def work_of(result: Result) -> tuple[object, ...]:
    params = {name: value for name, value in result.params.items() if name not in ("latency", "percentile")}
    return result.test, result.file_size, result.record_size, result.threads, str(params)


def test_events_of_sysbench_are_counted() -> None:
    text = (GOLDEN / "sysbench-fileio.txt").read_text()
    few = re.sub(r"(total number of events: +)\d+", r"\g<1>199", text)
    metrics = [{result.metric for result in parse(each).results} for each in (text, few)]
    assert metrics[0] - metrics[1] == {"latency_p95", "latency_p99"}
