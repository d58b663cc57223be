"""Which jobs of a text are of one start of fio, what is known of parts of its output, and totals of groups."""

from __future__ import annotations

import pytest

from benchagent.formats import Parsed, parse

HEADER = "a: (g=0): rw=randread, bs=(R) 4096B-4096B, ioengine=libaio, iodepth=8\n...\nfio-3.41\nStarting 4 processes\n"
RATES = "  read: IOPS=1000, BW=4000KiB/s (4096kB/s)(39.1MiB/10001msec)\n"
TOTAL = (
    "\nRun status group 0 (all jobs):\n"
    "   READ: bw=8000KiB/s (8192kB/s), 4000KiB/s-4000KiB/s (4096kB/s-4096kB/s), io=78.2MiB (82.0MB), "
    "run=10001-10002msec\n"
)


def job(pid: int, at: str = "06:16:09", jobs: int = 1, name: str = "a") -> str:
    return f"{name}: (groupid=0, jobs={jobs}): err= 0: pid={pid}: Thu Sep  3 {at} 2026\n{RATES}"


def rates(parsed: Parsed) -> list[tuple[int | None, object, int]]:
    """(threads, process, values) of each rate of reads."""
    found = [result for result in parsed.results if result.metric == "rate" and "view" not in result.params]
    return [(result.threads, result.params.get("process"), len(result.values)) for result in found]


def test_clones_are_printed_at_once() -> None:
    assert rates(parse(job(1) + job(2))) == [(2, 1, 1), (2, 2, 1)]
    assert rates(parse(job(1) + job(2, "06:16:10"))) == [(2, 1, 1), (2, 2, 1)]


@pytest.mark.parametrize("between", ["", "Host:\n", "\n# with the patch\n", "$ fio job.fio\n"])
def test_jobs_of_different_times_are_of_two_starts(between: str) -> None:
    assert {threads for threads, _, _ in rates(parse(job(1) + between + job(2, "06:26:09")))} == {1}
    assert {process for _, process, _ in rates(parse(job(1) + between + job(2, "06:26:09")))} == {None}


def test_without_dates_other_words_separate_two_starts() -> None:
    first, second = (job(pid).replace(" Thu Sep  3 06:16:09 2026", "") for pid in (1, 2))
    assert rates(parse(first + second)) == [(2, 1, 1), (2, 2, 1)]
    assert rates(parse(f"{first}and then\n{second}")) == [(1, None, 1), (1, None, 1)]


def test_clones_that_were_not_pasted_count() -> None:
    assert rates(parse(HEADER + job(1) + job(2))) == [(4, 1, 1), (4, 2, 1)]
    other = job(3, name="b")
    assert {threads for threads, _, _ in rates(parse(HEADER + job(1) + job(2) + other))} == {None}


def test_a_later_report_of_the_same_jobs_has_their_options() -> None:
    parsed = parse(HEADER + job(1, jobs=4) + TOTAL + "\n" + job(1, "06:16:19", jobs=4) + TOTAL)
    assert {(r.test, r.record_size, r.threads, len(r.values)) for r in parsed.results} == {("random_read", 4096, 4, 1)}
    assert (parsed.tool_version, parsed.parameters["engine"]) == ("3.41", "libaio")


def test_the_total_of_several_processes_is_marked_and_its_parts_are_not() -> None:
    results = parse(job(1) + job(2) + TOTAL).results
    totals = {r.metric: (r.values, r.threads) for r in results if r.params.get("view") == "total"}
    assert totals == {"throughput": ((8000 * 1024,), 2), "elapsed": ((10.002,), 2)}
    assert all("process" in r.params for r in results if r.params.get("view") != "total")


def test_the_total_of_one_job_is_its_own() -> None:
    assert [r for r in parse(job(1) + TOTAL).results if r.params.get("view") == "total"] == []
    without_numbers = parse(job(1, jobs=2).replace(RATES, "") + TOTAL)
    assert {(r.metric, r.values, r.threads, r.params.get("view")) for r in without_numbers.results} == {
        ("throughput", (8000 * 1024,), 2, None),
        ("elapsed", (10.002,), 2, None),
    }


def test_totals_of_fio_before_2_17() -> None:
    rates = "aggrb=2048KB/s, minb=1024KB/s, maxb=1024KB/s"
    old = f"Run status group 0 (all jobs):\n  READ: io=8192MB, {rates}, mint=40msec, maxt=41msec\n"
    assert {(r.metric, r.values) for r in parse(old).results} == {
        ("throughput", (2048 * 1024,)),
        ("elapsed", (0.041,)),
    }


def test_totals_alone_and_rates_alone_are_output_of_fio() -> None:
    assert {(r.test, r.metric, r.params["view"]) for r in parse(TOTAL).results} == {
        ("read", "throughput", "total"),
        ("read", "elapsed", "total"),
    }
    parsed = parse(f"### ext4\n{RATES}### xfs\n{RATES}")
    assert {r.params["section"] for r in parsed.results} == {"ext4", "xfs"}
    assert rates(parsed) == [(None, None, 1), (None, None, 1)]


COMMAND = """$ fio --name=a --rw=randread --bs=4k --direct=1 --fsync=1 \\
> --size=1g --numjobs=2 --filename=/mnt/a/f
"""


@pytest.mark.parametrize(
    "command", [COMMAND, COMMAND.replace(" \\\n> ", "\n"), COMMAND.replace(" \\\n> ", " ")], ids=["\\", "--", "one"]
)
def test_the_command_line_above_a_report_has_its_options(command: str) -> None:
    parsed = parse(command + job(1) + job(2))
    assert parsed.unread == ()
    assert (parsed.parameters["direct"], parsed.parameters["fsync"]) == (True, 1)
    assert {(r.test, r.file_size, r.record_size, r.threads) for r in parsed.results} == {
        ("random_read", 2**30, 4096, 2)
    }


def test_a_command_line_is_not_that_of_a_report_below_other_words() -> None:
    parsed = parse(f"{COMMAND}{job(1)}and without direct I/O\n{job(2, '06:26:09')}")
    assert [r.params.get("direct") for r in parsed.results if r.metric == "rate"] == [True, None]


def test_options_that_fio_printed_itself_count_more_than_those_of_a_command() -> None:
    parsed = parse("$ fio --name=a --rw=read --bs=1m --iodepth=2\n" + HEADER + job(1, jobs=4))
    assert {(r.test, r.record_size, r.params["depth"]) for r in parsed.results} == {("random_read", 4096, 8)}
