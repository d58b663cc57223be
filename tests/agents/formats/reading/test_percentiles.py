"""Percentiles with fewer than ten slower operations are in no result, of any tool."""

from __future__ import annotations

import re

import pytest

from benchagent.formats import FormatError, parse
from benchagent.formats.reading.percentiles import LEAST_BEYOND, SHARES, has_enough_beyond
from benchdb.stats.distributions import percentiles
from tests.agents.formats.texts import GOLDEN


def test_the_rule_is_that_of_the_server() -> None:
    assert LEAST_BEYOND == percentiles.LEAST_BEYOND
    assert [has_enough_beyond(0.999, operations) for operations in (9_999, 10_000)] == [False, True]


@pytest.mark.parametrize("tool", ["fio", "fsload"])
def test_every_percentile_has_ten_slower_operations(tool: str) -> None:
    """The number of operations is that of the rate and the time of the same work."""
    seen = 0
    for path in sorted(GOLDEN.glob(f"{tool}*")):
        try:
            results = parse(path.read_bytes()).results
        except FormatError:
            continue
        figures = {}
        for each in results:
            of_work = {name: value for name, value in each.params.items() if name not in ("latency", "percentile")}
            work = (each.test, each.file_size, each.record_size, each.threads, str(sorted(of_work.items())))
            figures[work, each.metric] = each.values
            share = SHARES.get(each.metric, 1 - (100 - float(each.params.get("percentile", 0))) / 100)
            if each.metric in SHARES or each.metric == "latency_percentile":
                figures.setdefault((work, "shares"), ())
                figures[work, "shares"] += (share,)
        for (work, name), shares in figures.items():
            if name == "shares" and (work, "rate") in figures and (work, "elapsed") in figures:
                pairs = zip(figures[work, "rate"], figures[work, "elapsed"], strict=True)
                operations = max(rate * elapsed for rate, elapsed in pairs if rate and elapsed)
                assert all(has_enough_beyond(share, 1.01 * operations) for share in shares), (path.name, work)
                seen += len(shares)
    assert seen


def test_events_of_sysbench_are_counted() -> None:
    text = (GOLDEN / "sysbench-fileio.txt").read_text()
    few = re.sub(r"(total number of events: +)\d+", r"\g<1>199", text)
    metrics = [{result.metric for result in parse(each).results} for each in (text, few)]
    assert metrics[0] - metrics[1] == {"latency_p95", "latency_p99"}
