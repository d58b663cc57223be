"""Long texts that are no tool's output: they are skipped without parsing, or refused."""

import sys
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from time import process_time
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent import formats
from benchagent.formats import FormatError, TextFormat, all_formats
from benchagent.formats.model import TooManyResults
from benchagent.formats.reading.sources import source_texts
from benchagent.formats.reading.text import lines_with, split_lines

MIB = 1024 * 1024


@pytest.mark.parametrize("form", all_formats().text, ids=lambda form: form.TOOL)
@pytest.mark.parametrize("line", ["\n", "a: 1\n", "host 12.5 MB\n"])
def test_a_foreign_text_is_not_taken_apart_to_be_recognised(form: TextFormat, line: str) -> None:
    text = line * (MIB // 8 // len(line))
    tracemalloc.start()
    assert not form.recognises(text)
    (_, peak), _ = tracemalloc.get_traced_memory(), tracemalloc.stop()
    assert peak < 2 * len(text)  # one copy; a list of its lines would take eight times that


@given(st.lists(st.text("ab,\r ", max_size=5)).map("\n".join), st.lists(st.sampled_from(["a", "ab", ", ", "b"])))
def test_lines_with_marks_are_the_lines_that_hold_one(text: str, marks: list[str]) -> None:
    assert set(lines_with(text, *marks)) == {
        line for line in split_lines(text) if any(mark in f"{line}\r" for mark in marks)
    }


def test_a_text_of_too_many_lines_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "MOST_LINES", 3)
    with pytest.raises(FormatError, match="more than 3 lines"):
        formats.parse(b"a\n" * 4)
    with pytest.raises(FormatError, match="no supported tool printed this"):
        formats.parse("a\n" * 3)


def test_a_line_of_quoted_printable_that_never_ends_takes_linear_time() -> None:
    times = []
    for lines in (50_000, 400_000):
        begun = process_time()
        assert source_texts("=3D=\n" * lines, lambda _: False)[0].text == "=" * lines + "\n" * lines
        times.append(process_time() - begun)
    assert times[1] < 24 * times[0]  # 8 for linear, 64 for quadratic


def _fio(job: str) -> Callable[[int], str]:
    def text(count: int) -> str:
        options = ",".join(f'"o{number}":1' for number in range(count))
        jobs = ",".join([job] * count)
        return f'{{"fio version":"fio-3.33","global options":{{"rw":"read",{options}}},"jobs":[{jobs}]}}'

    return text


def _fsload(description: str) -> Callable[[int], str]:
    def text(count: int) -> str:
        line = (
            '{{"type":"result","test":"t{}","threads":1,"elapsed_ns":9,"bytes":9,"operations":9,"latency_ns":null}}\n'
        )
        header = '{"type":"header","schema":"fsload/2","parameters":{' + description.format(count=count) + "}}\n"
        return header.replace("[]", f"[{','.join(['{}'] * count)}]") + "".join(map(line.format, range(count)))

    return text


def _lines_executed(text: str, tool: str) -> int:
    """The number of Python lines that run while a text is read, a line in a loop once for each turn."""
    count = 0

    def trace(_frame: FrameType, event: str, _argument: object) -> Callable[..., object]:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        with suppress(FormatError):
            formats.parse(text, tool)
    finally:
        sys.settrace(before)
    return count


# Texts of which each part refers to all others, found on 26 November 2026: 10 kB to 250 kB took seconds to hours.
ENTANGLED: dict[str, tuple[str, Callable[[int], str]]] = {
    "heads of bonnie++ without files": (
        "bonnie++",
        lambda count: (
            "Version  1.98       ------Sequential Output------ --Sequential Input- --Random-\n"
            + "host 8G 1 2 3 4 5 6 7 8 9 10 11 12\n" * count
            + "                    ------Sequential Create------ --------Random Create--------\n" * count
        ),
    ),
    "sizes of dd below headings": (
        "dd",
        lambda count: "".join(
            f"## {n}\n{n + 1}048576 bytes (1.0 GB) copied, 1.5 s, 120 MB/s\n" for n in range(count) for _ in range(2)
        ),
    ),
    "the clients of fio": ("fio", _fio('{"jobname":"All clients"}')),
    "jobs of fio with the options of all": ("fio", _fio('{"jobname":"a","job options":{"a":"1"}}')),
    "a report of fio": (
        "fio",
        lambda count: (
            "a: (g=0): rw=read, bs=4K-4K, ioengine=x\n" * count + "a: (groupid=0, jobs=1): err= 0: pid=1\n" * count
        ),
    ),
    "starts of IOR after its tests": (
        "ior",
        lambda count: "IOR-3: MPI Coordinated Test of Parallel I/O\n" + "TestID : 1\n" * count + "$ ior\n" * count,
    ),
    "thread groups of FFSB": (
        "ffsb",
        lambda count: (
            "FFSB version 6 started\n"
            + "ThreadGroup 1\n" * count
            + "Results:\n"
            + "1 Transactions per Second\n" * count
        ),
    ),
    "flowops of fsload": ("fsload", _fsload('"command":"wml","filesets":[],"loops":[]')),
    "thread groups of fsload": ("fsload", _fsload('"command":"mix","mix":{{"filesystems":[],"groups":[]}}')),
}


@pytest.mark.parametrize("case", ENTANGLED)
def test_the_work_grows_no_faster_than_the_text(case: str) -> None:
    tool, text = ENTANGLED[case]
    few, many = _lines_executed(text(150), tool), _lines_executed(text(600), tool)
    assert few > 150  # the text was read, not refused
    assert many < 6 * few  # 4 for linear, 16 for quadratic


def test_many_jobs_of_fio_share_their_options() -> None:
    text = _fio('{"jobname":"a"}')(3000)
    tracemalloc.start()
    formats.parse(text, "fio")
    (_, peak), _ = tracemalloc.get_traced_memory(), tracemalloc.stop()
    assert peak < 1000 * len(text)


@pytest.mark.parametrize(
    ("text", "module"),
    [
        (_fio('{"jobname":"a"}'), "fio.job_entries"),
        (_fio('{"jobname":"a","read":{"iops":1}}'), "fio.job_entries"),
        (lambda count: "".join(f"$ command{number}\nreal 1.5\n" for number in range(count)), "reading.collector"),
    ],
)
def test_more_results_than_a_run_may_have_are_refused_while_they_are_read(
    text: Callable[[int], str], module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = len(formats.parse(text(4)).results)
    monkeypatch.setattr(f"benchagent.formats.{module}.MOST_RESULTS", count)
    assert len(formats.parse(text(4)).results) == count
    with pytest.raises(TooManyResults, match="split it"):
        formats.parse(text(5))
