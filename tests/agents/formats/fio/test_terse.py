"""fio's terse lines, compared with the JSON and the report that the same start of fio printed, and odd texts."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from benchagent.formats import FormatError, Parsed, parse
from benchagent.formats.fio.command import jobs_of_command
from benchagent.formats.model import Result
from tests.agents.formats.crude import fio_terse as crude
from tests.agents.formats.crude.comparison import Found
from tests.agents.formats.fio.test_reader import only, values
from tests.agents.formats.texts import golden

VERSIONS = ("2", "3", "4", "5")
# Outputs of old versions of fio, each with the unit of its bandwidths, and a version in the text.
OLD = [
    ("terse2-1.60", 1000, "1.60"),
    ("terse2-2.0", 1000, None),
    ("terse3-2.0", 1000, "2.0"),
    ("terse2-2.0.9", 1024, None),
]
COMMAND = (
    "$ fio --directory=d --ioengine=libaio --size=4m --bwavgtime=20 --iopsavgtime=20"
    " --name=pair --rw=randrw --iodepth=4 --numjobs=2 --blocksize=4k --group_reporting"
    " --name=clones --stonewall --new_group --rw=write --numjobs=2 --bs=16k --fsync=8"
    " --name=whole --stonewall --new_group --rw=randrw --bs=8k --unified_rw_reporting=1"
    " --name=trims --stonewall --new_group --ioengine=null --rw=trim --bs=64k --size=256m --rate_iops=20000"
    " --output-format=terse --terse-version=5\n"
)
OUTPUTS = os.environ.get("BENCHDB_OUTPUTS")
TERSE = [line for line in golden("fio-terse5-json_report.txt").split("\n") if line.startswith("5;")]
PAIR, CLONE = TERSE[0] + "\n", TERSE[1] + "\n"


def forms(version: str) -> tuple[str, str, str]:
    """What one start of fio printed as terse lines, as JSON, and as report."""
    text = golden(f"fio-terse{version}-json_report.txt")
    match = re.search(r"^\{.*^\}$", text, re.M | re.S)
    assert match is not None
    terse = "".join(f"{line}\n" for line in text.split("\n") if line.startswith(f"{version};"))
    return terse, match[0], text[: match.start()] + text[match.end() :]


def by_key(parsed: Parsed) -> dict[object, Result]:
    return {
        (r.test, r.metric, r.file_size, r.record_size, r.threads, *sorted(r.params.items())): r for r in parsed.results
    }


def measured(results: dict[object, Result]) -> set[object]:
    return {key for key, result in results.items() if result.values != (None,)}


@pytest.mark.parametrize("version", VERSIONS)
def test_below_its_command_it_is_the_json_with_fewer_digits(version: str) -> None:
    terse, json, _ = forms(version)
    rounded, exact = by_key(parse(COMMAND + terse)), by_key(parse(json))
    in_it = {
        key: result
        for key, result in exact.items()
        if result.test != "sync"
        and (result.test != "trim" or version != "3")
        and not (result.metric == "rate" and "view" in result.params and version != "5")
    }
    assert len(measured(rounded)) > 140
    assert measured(rounded) <= measured(in_it)
    assert rounded.keys() >= in_it.keys()
    for key, result in in_it.items():
        (true,), (printed,) = result.values, rounded[key].values
        # Latencies are cut to whole microseconds, apart from means and deviations; rates to whole numbers or KiB.
        cut = {"s": 1e-6, "B/s": 1024, "op/s": 1}.get(result.unit, 0) if result.metric != "elapsed" else 0
        if result.metric == "latency_mean" or result.params.get("view") in ("mean", "sd"):
            cut = 0
        if printed is None:
            assert true is None or 0 < true < cut, key
        else:
            assert true is not None
            assert printed == pytest.approx(true, rel=1e-5, abs=cut), key
            assert printed <= true * (1 + 1e-5), key


@pytest.mark.parametrize("version", VERSIONS)
def test_every_number_is_read_and_every_value_is_printed(version: str) -> None:
    terse, _, _ = forms(version)
    is_read(parse(terse), crude.found(terse))


def is_read(parsed: Parsed, printed: Found) -> None:
    """All printed numbers are read, but percentiles with few operations beyond them."""
    lacking = printed - figures(parsed)
    assert {metric.rstrip("0123456789") for _, metric, _ in lacking} <= {"latency_p", "latency_percentile"}
    assert figures(parsed) == printed - lacking


def figures(parsed: Parsed) -> Found:
    return Found(
        (line, result.metric, float(f"{value:.9g}"))
        for result in parsed.results
        for line, value in zip(result.lines, result.values)
        if value
    )


@pytest.mark.parametrize("version", VERSIONS)
def test_beside_the_other_forms_it_is_the_same_run(version: str) -> None:
    terse, json, report = forms(version)
    assert by_key(parse(golden(f"fio-terse{version}-json_report.txt"))).keys() == by_key(parse(json)).keys()
    assert parse(report).unread == ()
    assert all(len(result.values) == 1 for result in parse(report).results)
    other = terse.replace(";whole;", ";another;")
    place = 1 if version == "2" else 2
    assert [line.split(";")[place] for _, line in parse(json + "\n" + other).unread] == ["another"]


@pytest.mark.parametrize(("name", "unit", "version"), OLD)
def test_old_versions_print_bandwidths_in_their_own_unit(name: str, unit: int, version: str | None) -> None:
    text = golden(f"fio-{name}.txt")
    parsed = parse(text)
    is_read(parsed, crude.found(text, unit))
    assert (parsed.tool_version, parsed.complete, parsed.unread) == (version, True, ())
    whole = only(parsed, "read", "throughput", job="whole")
    seconds = only(parsed, "read", "elapsed", job="whole").values[0]
    assert whole.values[0] == pytest.approx(whole.evidence["logical_bytes"] / seconds, abs=unit)
    assert {result.params.get("process") for result in parsed.results} == {None, 1, 2}


def test_a_bandwidth_that_may_have_both_units_is_in_kib() -> None:
    fields = golden("fio-terse2-2.0.9.txt").split("\n")[-3].split(";")
    fields[4:6], fields[7] = ["1", "3"], "300"  # 1 KiB, 3 of either unit, 300 ms
    assert only(parse(";".join(fields) + "\n"), "read", "throughput").values == (3 * 1024,)


@pytest.mark.parametrize("length", [4, 30, 70, 77])
def test_a_plain_line_that_is_cut_or_goes_on_is_not_read(length: int) -> None:
    first, second, *_ = [line for line in golden("fio-terse2-1.60.txt").split("\n") if line.startswith("2;")]
    cut = ";".join(first.split(";")[:length])
    assert [number for number, _ in parse(f"{second}\n\n{cut}\n").unread] == [3]
    assert [number for number, _ in parse(f"{second}\n\n{cut}{second}\n").unread] == [3]


def test_a_description_is_below_its_job_in_version_2() -> None:
    *_, line, empty, _ = golden("fio-terse2-2.0.txt").split("\n")
    assert (line[:8], empty) == ("2;whole;", ";")
    described = parse(f"{line}\n;a test; of words\n;no job above\n")
    assert [number for number, _ in described.unread] == [3]
    assert by_key(described).keys() == by_key(parse(line + "\n")).keys()


def test_numbers_that_begin_with_2_are_no_terse_line() -> None:
    with pytest.raises(FormatError, match="no supported tool"):
        parse("2;a;0;0;1;2;3;4;5;6.000000;7;8\n2;0;0;1\n")


def test_without_the_command_sequential_and_random_cannot_be_distinguished() -> None:
    parsed = parse(PAIR)
    assert {result.params["rw"] for result in parsed.results} == {"unknown"}
    assert {(result.threads, result.record_size) for result in parsed.results} == {(None, None)}
    assert (parsed.tool_version, parsed.complete) == ("3.33", True)


def test_lines_behind_each_other_are_processes_of_one_start() -> None:
    assert {result.params["process"] for result in parse(CLONE + CLONE).results} == {1, 2}


@pytest.mark.parametrize("between", ["again\n", "fio --name=pair\n", "\n" + CLONE])
def test_what_comes_between_begins_another_start(between: str) -> None:
    parsed = parse(PAIR + between + PAIR)
    assert {result.params.get("process") for result in parsed.results} == {None}
    lines = {line for result in parsed.results for line in result.lines}
    assert lines == {number for number, line in enumerate((PAIR + between + PAIR).split("\n"), 1) if ";" in line}


def test_a_repeated_command_gives_repetitions() -> None:
    text = ("fio --name=pair --rw=randrw --numjobs=2 --group_reporting\n" + PAIR) * 3
    assert values(text, "random_read", "rate") == (9533.0,) * 3


def test_a_command_ends_at_other_words() -> None:
    text = f"fio --name=pair --rw=randrw\n{PAIR}# the next one\n{PAIR}"
    assert {result.params["rw"] for result in parse(text).results} == {"randrw", "unknown"}


def test_options_of_different_starts_are_those_above_them() -> None:
    text = "".join(f"./fio --name=pair --rw=randrw --bs={size}\n{PAIR}" for size in ("4k", "8k"))
    assert {result.record_size for result in parse(text).results} == {4096, 8192}


def test_percentiles_are_those_of_the_total_latency_if_the_command_says_so() -> None:
    text = f"fio --name=pair --rw=randrw --lat_percentiles=1\n{PAIR}"
    assert only(parse(text), "random_read", "latency_p50").params["latency"] == "total"
    assert only(parse(PAIR), "read", "latency_p50").params["latency"] == "completion"


@pytest.mark.parametrize(
    ("line", "jobs"),
    [
        ("fio --bs=4k --name=a --rw=read --name b --rw randwrite", {"a": ("4k", "read"), "b": ("4k", "randwrite")}),
        ("# time fio -name=a -bs=4k -rw=read --minimal | tee log", {"a": ("4k", "read")}),
        ("fio --name=global --bs=4k --name='a b' --group_reporting --rw=read > x.txt", {"a b": ("4k", "read")}),
        ("fio --name=a --bs=4k --rw=read --output-format terse --output=o --name='b", {"a": ("4k", "read")}),
        ("fio jobs.fio --minimal", {}),
        ("my name is fio", {}),
    ],
)
def test_command_lines(line: str, jobs: dict[str, tuple[str, str]]) -> None:
    found = jobs_of_command(line)
    assert {
        name: (options["bs"], options["rw"]) for name, options in found.items() if "rw" in options or name != "'b"
    } == jobs


@pytest.mark.parametrize("length", [5, 20, 60, 150])
def test_a_line_that_is_cut_is_not_read(length: int) -> None:
    cut = ";".join(TERSE[0].split(";")[:length]) + ("\n" if length > 1 else "")
    assert [number for number, _ in parse(PAIR + cut).unread] == [2]
    with pytest.raises(FormatError, match="terse line is cut"):
        parse(cut)


@pytest.mark.parametrize("length", [1, 20, 60, 150, len(TERSE[0].split(";"))])
def test_a_line_with_another_one_behind_it_is_not_read(length: int) -> None:
    both = ";".join(TERSE[0].split(";")[:length]) + CLONE
    assert [number for number, _ in parse(PAIR + both).unread] == [2]


def test_a_job_may_have_the_name_of_a_percentile() -> None:
    named = parse(PAIR.replace(";pair;", ";a%=b;"))
    assert [result.values for result in named.results] == [result.values for result in parse(PAIR).results]


@pytest.mark.parametrize("error", ["-5", "nan", ""])
def test_an_error_that_is_no_number_is_no_success(error: str) -> None:
    with pytest.raises(FormatError, match="terse line is cut"):
        parse(PAIR.replace(";pair;0;0;", f";pair;0;{error};"))


def test_a_failed_job_has_failed() -> None:
    parsed = parse(PAIR.replace(";pair;0;0;", ";pair;0;28;"))
    assert not parsed.complete
    assert parsed.warnings == ("line 1: job pair failed: error 28",)


def test_fields_behind_the_distribution_are_no_numbers_of_the_job() -> None:
    described = PAIR.strip() + ";0;0;words; of its job 1%=2\n"
    assert by_key(parse(described)).keys() == by_key(parse(PAIR)).keys()


def test_a_version_without_the_name_of_fio() -> None:
    assert parse(PAIR.replace("fio-3.33", "2.0.8")).tool_version == "2.0.8"


def test_public_texts() -> None:
    """Those of a directory of yours, BENCHDB_OUTPUTS/fio_terse, which holds terse lines only."""
    for path in sorted(Path(OUTPUTS, "fio_terse").glob("*")) if OUTPUTS else []:
        text = path.read_text()
        print(path, crude.found(text).total())
        assert figures(parse(text)) == crude.found(text), path
