"""fio's report as mails, logs and pages pass it on, and several outputs in one text."""

from __future__ import annotations

import html
import quopri
import re
import textwrap
from collections.abc import Callable

import pytest

from benchagent.formats import FormatError, Parsed, parse
from tests.agents.formats.fio.test_reader import only
from tests.agents.formats.fio.test_report import JOB, RATES, STATUS, halves

LATENCY = "    clat (usec): min=2, max=4096, avg=43.21, stdev=50.22\n"
MAIL = "From: someone\nContent-Transfer-Encoding: quoted-printable\n\n"
NO_UNITS = "  read: IOPS=22.4k, BW=87.6Mi (91.9M)(876MiB/10001msec)\n"


def flowed(text: str) -> str:
    """Broken behind the last blank before column 72, as mail programs do."""
    lines = (
        textwrap.wrap(line, 72, drop_whitespace=False, break_long_words=False) or [""] for line in text.split("\n")
    )
    return "\n".join(piece.rstrip() for pieces in lines for piece in pieces)


def prefixed(prefix: str) -> Callable[[str], str]:
    return lambda text: re.sub("^", prefix, text, flags=re.M)


def logged(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(f"20:22:{number % 60:02} DEBUG| [stdout] {line}".rstrip() for number, line in enumerate(lines))


def quoted_below_an_answer(text: str) -> str:
    answer = "I cannot see that here.\n" * (2 * text.count("\n"))
    return f"{answer}\n{prefixed('> > ')(flowed(text))}\n"


COPIES = {
    "quoted": prefixed("> "),
    "flowed": flowed,
    "quoted-and-flowed": lambda text: prefixed(">> ")(flowed(text)),
    "quoted-below-an-answer": quoted_below_an_answer,
    "quoted-printable": lambda text: MAIL + quopri.encodestring(text.encode()).decode(),
    "flowed-then-quoted-printable": lambda text: (
        MAIL + quopri.encodestring(prefixed("> ")(flowed(text)).encode()).decode()
    ),
    "indented": prefixed("\t    "),
    "fenced": lambda text: f"## Results\n```\n{text}\n```\n",
    "page": lambda text: f"<pre>{html.escape(text)}</pre>",
    "windows": lambda text: text.replace("\n", "\r\n"),
    "logged": logged,
    "put-together": lambda text: re.sub(r"\n +(?=(?:iops|lat|slat|clat|bw) )", "  ", text),
}


def numbers(parsed: Parsed) -> dict[object, object]:
    return {
        (r.test, r.metric, r.record_size, r.threads, tuple(sorted(r.params.items()))): r.values for r in parsed.results
    }


@pytest.fixture(scope="module", params=["2.14", "3.41"])
def report(request: pytest.FixtureRequest) -> tuple[str, dict[object, object]]:
    text = halves(request.param)[1]
    return text, numbers(parse(text))


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_a_copy_has_the_same_numbers(report: tuple[str, dict[object, object]], copied: Callable[[str], str]) -> None:
    text, expected = report
    assert numbers(parse(copied(text))) == expected


def test_a_line_that_is_damaged_or_belongs_to_no_job_is_listed_as_not_read() -> None:
    cut = "    clat (usec): min=2, max=4096, avg=43\n"
    parsed = parse(LATENCY + JOB + RATES + cut + "  cpu          : usr=1.20%\n" + STATUS + LATENCY)
    assert [line for line, _ in parsed.unread] == [1, 4, 5, 9]
    assert only(parsed, "read", "rate").values == (22400.0,)


def test_an_annotated_rate_keeps_the_other_numbers() -> None:
    parsed = parse(JOB + RATES.replace("22.4k", "22.4k (3)").replace("87.6MiB/s (", "87.6 MiB/s ("))
    assert only(parsed, "read", "rate").values == (22400.0,)
    assert only(parsed, "read", "elapsed").values == (10.001,)
    assert "cut or changed" in (only(parsed, "read", "throughput").error or "")


def test_numbers_behind_other_words_or_a_second_time_are_not_of_the_job() -> None:
    later = RATES.replace("22.4k", "30.0k")
    for text in (JOB + RATES + later, JOB + RATES + "\nwith the other disk\n" + later.replace("read", "write")):
        parsed = parse(text)
        assert only(parsed, "read", "rate").values == (22400.0,)
        assert {result.test for result in parsed.results} == {"read"}
        assert parsed.unread[-1][1].startswith(("read: IOPS=30.0k", "write: IOPS=30.0k"))


def test_percentiles_of_one_priority_are_not_those_of_the_job() -> None:
    heading, line = "    clat percentiles (msec):\n", "     | 50.00th=[  108], 99.00th=[ 1234]\n"
    of_one = "    clat prio 2/7 (69.25% of IOs) percentiles (msec):\n     | 50.00th=[   85], 99.00th=[  368]\n"
    parsed = parse(JOB + RATES + heading + line + of_one)
    assert only(parsed, "read", "latency_p50").values == (0.108,)
    assert parsed.unread == ()


def test_the_sum_of_all_clients_has_no_unit_of_bytes() -> None:
    parsed = parse(
        JOB.replace("a:", "All clients:") + NO_UNITS + "   bw (  KiB/s): min=1, max=3, avg= 2.00, stdev= 1.00\n"
    )
    plain, of_samples = [r for r in parsed.results if r.metric == "throughput"][:2]
    assert (plain.values, of_samples.values) == ((87.6 * 2**20,), (1024.0,))


def test_rates_of_fio_1_have_no_certain_unit() -> None:
    parsed = parse(JOB + "  read : io=264KiB, bw=90112KiB/s, iops=7666, runt=     3msec\n")
    assert only(parsed, "read", "throughput").status == "unmeasurable"
    assert only(parsed, "read", "rate").values == (7666.0,)


def test_a_job_that_was_interrupted_has_a_negative_error() -> None:
    parsed = parse(JOB.replace("err= 0", "err=-4 (file:engines.c:320, func=get_events, error=Unknown error -4)"))
    assert not parsed.complete
    assert any("Unknown error -4" in warning for warning in parsed.warnings)


def sections(text: str) -> dict[object, tuple[float | None, ...]]:
    return {r.params.get("section", r.params.get("place")): r.values for r in parse(text).results if r.metric == "rate"}


HEADER = "a: (g=0): rw=read, bs=(R) 4096B-4096B, ioengine=psync, iodepth=1\nfio-3.41\nStarting 1 process\n"
COMMAND = f"$ fio --name=a --rw=read --bs=4k --ioengine=psync --filename={'x' * 60}"


def outputs(*heads: str) -> str:
    """One output below each head, with the rates 1k, 2k …"""
    return "".join(
        f"{head}{HEADER}{JOB}{RATES.replace('22.4k', f'{number}k')}{STATUS}" for number, head in enumerate(heads, 1)
    )


def test_headings_and_commands_tell_outputs_apart() -> None:
    assert sections(outputs("### ext4\n", "### xfs\n")) == {"ext4": (1000.0,), "xfs": (2000.0,)}
    same_command = outputs(f"### ext4\n{COMMAND}\n", f"### xfs\n{COMMAND}\n", f"{COMMAND}\n")
    assert sections(same_command) == {"ext4": (1000.0,), "xfs": (2000.0, 3000.0)}
    assert len(sections(outputs(f"{COMMAND}1\n", f"{COMMAND}2\n"))) == 2  # they differ behind the length of a section
    of_one_process = f"old\n{JOB}{RATES}new\n{JOB}{RATES.replace('22.4k', '30.0k')}"
    assert sections(of_one_process) == {"old": (22400.0,), "new": (30000.0,)}


@pytest.mark.parametrize("size", [".", "4.5.6"])
def test_a_size_that_is_no_number_is_none(size: str) -> None:
    assert sections(outputs("").replace("4096B-4096B", f"{size}B-{size}B")) == {None: (1000.0,)}


def test_repetitions_stay_repetitions() -> None:
    for heads in (["", "", ""], ["an introduction\n", "", ""], ["# run 1\n", "# run 2\n", "# run 3\n"]):
        assert sections(outputs(*heads)) == {None: (1000.0, 2000.0, 3000.0)}
    timed = [f"{COMMAND}\n", f"real 0m1.1s\n{COMMAND}\n", f"real 0m1.2s\n{COMMAND}\n"]
    assert sections("an introduction\n" + outputs(*timed)) == {None: (1000.0, 2000.0, 3000.0)}


def test_a_report_without_numbers_is_an_error() -> None:
    with pytest.raises(FormatError, match="without numbers"):
        parse(JOB + "  cpu          : usr=0.00%, sys=0.00%, ctx=1, majf=0, minf=1\n" + STATUS)
