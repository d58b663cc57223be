"""Text that people wrote between runs separates them; a script's progress messages do not."""

from __future__ import annotations

import pytest

from benchagent.formats import parse

DBENCH = """Running for 5 seconds with load 'client.txt' and minimum warmup 1 secs
Throughput {} MB/sec  4 clients  4 procs  max_latency=10.5 ms
"""
FILEBENCH = """filebench -f copy.f
Filebench Version 1.4.9.1
  100: 0.000: Allocated 170MB of shared memory
  100: 1.000: Running...
  100: 6.000: Run took 5 seconds...
  100: 6.001: Per-Operation Breakdown
write1               500ops      100ops/s {}mb/s      1.5ms/op       25us/op-cpu [0ms - 2ms]
  100: 6.001: IO Summary:   500 ops, 100.000 ops/s, (0/100 r/w), {}mb/s,     50us cpu/op,   1.5ms latency
  100: 6.002: Shutting down processes
"""


def rates(text: str) -> dict[str | None, tuple[float | None, ...]]:
    """section → the values of the throughput of the load as a whole."""
    results = parse(text).results
    return {
        str(result.params.get("section")): result.values
        for result in results
        if result.metric == "throughput" and result.test in ("dbench", "flowops")
    }


def test_headings_tell_runs_apart() -> None:
    text = "### ext4\n" + DBENCH.format(100) + "\n### xfs\n" + DBENCH.format(200)
    assert rates(text) == {"ext4": (1e8,), "xfs": (2e8,)}
    text = "# ext4\n\n" + FILEBENCH.format(1.0, 1.0) * 2 + "# xfs\n\n" + FILEBENCH.format(2.0, 2.0)
    assert rates(text) == {"ext4": (2.0**20, 2.0**20), "xfs": (2.0**21,)}


def test_a_command_at_a_prompt_tells_runs_apart_and_a_bare_call_does_not() -> None:
    set_up = "root@host:/mnt# echo {} > /sys/block/sda/queue/scheduler\nroot@host:/mnt# ./run-it\n"
    told = rates("".join(set_up.format(name) + DBENCH.format(rate) for name, rate in (("noop", 1), ("cfq", 2))))
    assert [name.split()[-3] for name in told] == ["noop", "cfq"]
    assert list(told.values()) == [(1e6,), (2e6,)]


@pytest.mark.parametrize(
    "above",
    [
        "",
        "Sat Nov 21 10:0{} :00 UTC 2026\n".replace(" :", ":"),
        "$ \n",
        "[sudo] password for ann:\n",
        "===== dbench, iteration {} done =====\n",
        "run {}\n",
        "run {} of 3\n",
    ],
)
def test_what_counts_or_only_tells_the_way_leaves_repetitions_together(above: str) -> None:
    text = "".join(above.format(place) + DBENCH.format(place) for place in (1, 2, 3))
    assert rates(text) == {"None": (1e6, 2e6, 3e6)}


def test_one_heading_above_all_runs_is_no_section() -> None:
    assert rates("Results of ext4:\n" + DBENCH.format(1) * 2) == {"None": (1e6, 1e6)}


def test_a_line_within_a_run_is_no_heading() -> None:
    broken = DBENCH.replace("\nThroughput", "\nsomebody said something here\nThroughput")
    assert rates(broken.format(1) + DBENCH.format(2)) == {"None": (1e6, 2e6)}
