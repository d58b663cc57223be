"""Text that people wrote between runs separates them; a script's progress messages do not."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from benchagent.formats import parse
from benchagent.formats.reading import sections
from tests.agents.formats.texts import golden

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


TIMES = "$ time rm -rf tree\nreal\t0m{}.252s\nuser\t0m0.885s\nsys\t0m0.641s\n"
IOZONE = golden("iozone-throughput_t4.txt")
TABLE = golden("iozone-auto_rw.txt")
ROWS = "".join(line for line in TABLE.splitlines(keepends=True) if "reclen" in line or line.strip()[:1].isdigit())
REPORTS = golden("iozone-report_gaps.txt").partition('"Writer')[2]
REPORT = golden("fio-report_and_json-3.41.txt")
OUTPUTS = {
    "fio": golden("fio-randread.json"),
    "fio report": REPORT.partition("{")[0] + REPORT.rpartition("\n}\n")[2],
    "filebench": FILEBENCH.format(1.0, 1.0),
    "time": TIMES.format(1),
    "iozone": TABLE,
    "iozone -t": IOZONE,
    "tables of iozone": f"Output is in kBytes/sec\n{ROWS}",
    "blocks of iozone": "\tChildren" + IOZONE.partition("\tChildren")[2],
    "reports of iozone": f'Output is in kBytes/sec\n"Writer{REPORTS}',
}
HEADS = [
    ("### ext4\n", "### xfs\n"),
    ("First board:\nthe output\n", "Second board:\nthe output\n"),
    ("root@one:~# ./run.sh\n", "root@two:~# ./run.sh\n"),
    ("# uname -r\n6.1.0\n", "# uname -r\n6.12.0\n"),
]


def lengths(text: str) -> dict[object, int]:
    """section → the most values that a result of it has; without outputs of GNU time around another tool."""
    found: dict[object, int] = {}
    for result in parse(text).results:
        section = result.params.get("section")
        found[section] = max(found.get(section, 0), len(result.values))
    return found


@pytest.mark.parametrize("tool", OUTPUTS)
def test_outputs_below_different_lines_are_never_repetitions(tool: str) -> None:
    output = OUTPUTS[tool]
    for first, second in HEADS:
        assert sorted(lengths(first + output + second + output).values()) == [1, 1], (first, second)
    for head in ("", "Results of ext4:\n", "run 1 of 2\n", "root@one:~# ./run.sh\n"):
        again = head.replace("1 of", "2 of")
        assert lengths(head + output + again + output) == {None: 2}, head


def test_outputs_with_other_commands_are_never_repetitions() -> None:
    assert len(lengths(TABLE + TABLE.replace("iozone -a", "iozone -b ext4.xls -a"))) == 2
    filebench = OUTPUTS["filebench"]
    assert len(lengths(filebench + filebench.replace("filebench -f", "sudo filebench -f"))) == 2
    assert len(lengths("".join(f"$ mkfs.{name} /dev/sdb\n{TIMES.format(1)}" for name in ("ext4", "xfs")))) == 2


def test_a_command_is_no_section_if_record_sizes_already_differ() -> None:
    kept = [line for line in TABLE.splitlines(keepends=True) if not line.lstrip().startswith("65536")]
    others = [line for line in TABLE.splitlines(keepends=True) if not ROWS.count(line) or line not in kept]
    assert lengths("".join(kept) + "".join(others).replace("iozone -a", "iozone -g 1G -a")) == {None: 1}


def test_each_command_of_a_repeated_sequence_is_repeated() -> None:
    times = TIMES.partition("\n")[2].format(1)
    text = "".join(f"$ time {command}\n{times}" for command in ("mkfs.ext4 x", "cp -r a b", "rm -rf b")) * 3
    assert lengths(text) == {None: 3}


def test_a_long_series_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = Mock(side_effect=sections.counts_repetitions)
    monkeypatch.setattr(sections, "counts_repetitions", counts)
    assert rates("".join(f"## test {number}\n{DBENCH.format(10)}" for number in range(1, 51))) == {"None": (1e7,) * 50}
    assert counts.call_count < 10


@pytest.mark.parametrize("title", ["## {}\n", "== {} ==\n", "{}:\n"])
@pytest.mark.parametrize("script", ["mount /dev/{} /mnt/{}\n", "sync; echo {} of {}\n", "{}\n{}\n"])
def test_a_section_has_the_name_of_its_title_not_of_a_line_of_a_script_below(title: str, script: str) -> None:
    texts = [
        title.format(name) + script.format(number, number) + DBENCH.format(number)
        for number, name in ((10, "ext4"), (20, "xfs"))
    ]
    assert rates("".join(texts)) == {"ext4": (1e7,), "xfs": (2e7,)}


def test_lines_of_a_script_that_tell_more_than_titles_name_sections() -> None:
    texts = ["## ext4\n", *(f"mount -o {option} /dev/sda\n{DBENCH.format(1)}" for option in ("sync", "async"))]
    assert set(rates("".join(texts))) == {"mount -o sync /dev/sda", "mount -o async /dev/sda"}
