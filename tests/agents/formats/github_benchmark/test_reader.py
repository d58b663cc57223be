"""github-action-benchmark's lists and its history: units, and commits that are runs."""

import pytest

from benchagent.formats import FormatError, parse
from tests.agents.formats.texts import golden


def test_units_decide_the_metric_and_ambiguous_ones_are_not_read() -> None:
    parsed = parse(golden("github_benchmark-list.json"))
    found = {result.params["benchmark"]: (result.metric, result.values[0]) for result in parsed.results}
    assert found == {
        "create": ("rate", 5200.5),
        "read": ("throughput", 410.25 * 2**20),
        "mount": ("elapsed", 0.0315),
        "stat": ("latency_mean", 812e-9),
    }
    assert parsed.unread == ((6, "write: 300 MB/s"), (7, "memory: 150 Megabytes"))


def test_commits_of_a_history_are_runs() -> None:
    entry = '{"commit": {"id": "%s", "message": "m"}, "date": 1, "tool": "cargo", "benches": [%s]}'
    bench = '{"name": "fib", "range": "+/- 2", "unit": "ns/iter", "value": %d}'
    commits = ",\n".join(entry % (commit * 40, bench % value) for commit, value in (("a", 100), ("b", 90)))
    parsed = parse(f'window.BENCHMARK_DATA = {{"lastUpdate": 1, "entries": {{"Rust": [\n{commits}\n]}}}};\n')
    assert {(r.params["version"], r.values[0], r.lines[0]) for r in parsed.results} == {
        ("a" * 12, 1e-7, 2),
        ("b" * 12, 9e-8, 3),
    }
    assert parsed.unread == ()


def test_unknown_units_alone_are_refused() -> None:
    with pytest.raises(FormatError, match="no benchmark has a unit that is known"):
        parse('[{"name": "a", "unit": "apples", "value": 1}]')


def test_a_cut_list_is_refused() -> None:
    """Its last number, 31.5 here, may lack digits."""
    text = golden("github_benchmark-list.json")
    with pytest.raises(FormatError, match="line 4, column 1: the JSON is cut off"):
        parse(text[: text.index("31.5") + 2])
