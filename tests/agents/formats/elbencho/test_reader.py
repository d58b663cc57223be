"""elbencho's table of phases, CSV and JSON: first and last done, sizes, latencies, mixes, and damaged rows."""

from __future__ import annotations

from math import floor

import pytest

from benchagent.formats import FormatError, Parsed, Result, parse
from tests.agents.formats.texts import golden

PHASES, CSV = golden("elbencho-phases.txt"), golden("elbencho-sweep.csv")


def value(parsed: Parsed, test: str, metric: str, **params: object) -> float | None:
    [found] = [
        result.values[0]
        for result in parsed.results
        if (result.test, result.metric) == (test, metric)
        and all(result.params.get(name) == wanted for name, wanted in {"view": None, "of": None, **params}.items())
    ]
    return found


def test_last_done_is_the_plain_value() -> None:
    parsed = parse(PHASES)
    assert parsed.unread == ()
    assert value(parsed, "random_write", "throughput") == 118 * 2**20
    assert value(parsed, "random_write", "throughput", view="first_done") == 120 * 2**20
    assert value(parsed, "random_write", "rate") == 472
    assert value(parsed, "random_write", "rate", of="entries") == 118
    assert value(parsed, "random_write", "elapsed") == 65.755
    assert value(parsed, "random_write", "latency_max") == 1.9
    assert value(parsed, "random_write", "latency_mean", of="entries") == 0.0083
    assert value(parsed, "directory_create", "rate") == 1990


def test_the_command_line_gives_sizes_and_settings() -> None:
    write = next(result for result in parse(PHASES).results if result.test == "random_write")
    assert (write.file_size, write.record_size, write.threads) == (2**20, 2**18, 4)
    assert write.params == {"direct": True, "files": 100}


def test_csv() -> None:
    parsed = parse(CSV)
    assert value(parsed, "write", "rate") == 2950
    assert value(parsed, "write", "rate", of="entries") == 12
    assert value(parsed, "directory_create", "rate") == 1400
    assert value(parsed, "random_read", "latency_mean") == 0.0031
    read = next(result for result in parsed.results if result.test == "random_read")
    assert (read.file_size, read.record_size, read.threads) == (2**20, 2**18, 16)


def test_versions_before_2_print_milliseconds_and_headings_distinguish_phases() -> None:
    table = """OPERATION RESULT TYPE        FIRST DONE  LAST DONE
========= ================   ==========  =========
WRITE     Elapsed ms       :      18618      19506
          Files/s          :      53679      53757
          Throughput MiB/s :         52         52
---
"""
    parsed = parse(f"Working on 1KiB with 56 threads...\n{table}Working on 2KiB with 56 threads...\n{table}")
    assert {result.values for result in parsed.results if result.metric == "elapsed"} == {(18.618,), (19.506,)}
    assert len({result.params["section"] for result in parsed.results}) == 2


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        (",120900\n", "\n", 3, "the row has 36 fields, not the 37"),
        (",MKDIRS,", ",MK\rDIRS,", 2, "no row of CSV"),
    ],
)
def test_a_faulty_row_is_refused_with_its_line(old: str, new: str, line: int, why: str) -> None:
    with pytest.raises(FormatError, match=why) as refused:
        parse(CSV.replace(old, new))
    assert refused.value.line == line


@pytest.mark.parametrize("text", ["1e10", "-5", "0x1A", "1,5", "nan", "9" * 16])
@pytest.mark.parametrize("column", ["IOPS [last]", "time ms [first]", "Ent lat us [max]", "threads", "file size"])
def test_a_field_of_csv_that_is_no_number_is_listed_with_its_column(column: str, text: str) -> None:
    name = "elbencho-files.csv"
    header, first, second, *others = golden(name).split("\n")
    index = header.split(",").index(column)
    fields = second.split(",")
    fields[index] = f'"{text}"'
    parsed = parse("\n".join([header, first, ",".join(fields), *others]))
    assert parsed.unread == ((3, f'"{column}" of elbencho: {text}'),)
    assert parsed.warnings == (f'line 3 was not read: "{column}" of elbencho: {text}',)
    lost = {result.metric for result in parse(golden(name)).results} - {result.metric for result in parsed.results}
    assert not lost
    values = sum(len(result.values) for result in parse(golden(name)).results)
    is_figure = "[" in column
    assert sum(len(result.values) for result in parsed.results) == values - is_figure


def test_a_field_of_the_reading_part_of_a_mix_is_listed_with_its_column() -> None:
    text = golden("elbencho-mixed.csv")
    assert text.count(",1589,") == 1
    assert parse(text.replace(",1589,", ",1e3,")).unread == ((3, '"rwmix read IOPS [first]" of elbencho: 1e3'),)


def test_a_table_without_a_phase_is_refused() -> None:
    with pytest.raises(FormatError, match="no phase is there"):
        parse(PHASES.split("MKDIRS")[0])


def figures(parsed: Parsed) -> dict[tuple, list[float]]:
    """The values by test, metric, sizes, threads and the params that every form prints."""
    found: dict[tuple, list[float]] = {}
    for result in parsed.results:
        key = (result.test, result.metric, *sizes(result), result.params.get("view"), result.params.get("of"))
        found.setdefault(key, []).extend(value for value in result.values if value is not None)
    return found


def sizes(result: Result) -> tuple[int | None, int | None]:
    return result.file_size, result.record_size


@pytest.mark.parametrize("name", ["elbencho-files", "elbencho-mixed"])
def test_json_has_the_numbers_of_csv_with_all_digits(name: str) -> None:
    of_json, of_csv = (figures(parse(golden(f"{name}.{form}"))) for form in ("json", "csv"))
    assert of_json.keys() == of_csv.keys()
    for key, values in of_json.items():
        assert [floor(value / 2**20) * 2**20 if key[1] == "throughput" else value for value in values] == of_csv[key]


@pytest.mark.parametrize("name", ["elbencho-files", "elbencho-mixed"])
def test_the_table_has_the_numbers_of_csv_and_the_totals_of_mixes(name: str) -> None:
    of_table, of_csv = (figures(parse(golden(f"{name}.{form}"))) for form in ("txt", "csv"))
    assert parse(golden(f"{name}.txt")).unread == ()
    assert {key[:2] for key in of_table.keys() - of_csv.keys()} <= {("mix", "rate"), ("mix", "throughput")}
    for key, values in of_csv.items():
        assert of_table[key] == pytest.approx(values, rel=0.006)  # three digits of a latency


def test_both_parts_of_a_mix_and_its_share() -> None:
    parsed = parse(golden("elbencho-mixed.json"))
    assert value(parsed, "mix_write", "throughput", read_percentage=30) == 220201312
    assert value(parsed, "mix_read", "throughput", read_percentage=30) == 101921750
    assert value(parsed, "mix_read", "latency_max", read_percentage=30) == 0.008123
    assert value(parsed, "mix", "elapsed", read_percentage=30) == 0.208
    assert value(parsed, "mix_read", "rate", read_threads=2, of="entries") == 743
    mix = next(result for result in parsed.results if result.test == "mix_read")
    assert (mix.file_size, mix.record_size, mix.threads) == (2**26, 2**16, 2)
    assert mix.params["random"] is True
    assert value(parse(golden("elbencho-mixed.txt")), "mix", "rate", read_percentage=30) == 4915


def test_a_repeated_command_in_one_file_gives_repetitions() -> None:
    [rate] = [
        result
        for result in parse(golden("elbencho-appended.json")).results
        if (result.test, result.metric, result.params.get("view")) == ("random_read", "rate", None)
    ]
    assert (len(rate.values), rate.lines) == (2, (2, 3))


def test_directories_of_dirstats_are_no_repetition_of_files() -> None:
    parsed = parse(golden("elbencho-small.txt"))
    assert parsed.unread == ()
    assert value(parsed, "write", "rate", of="entries") == 24360
    assert value(parsed, "write", "rate", of="directories") == 487


def test_an_interrupted_output_is_incomplete() -> None:
    parsed = parse(golden("elbencho-interrupted.txt"))
    assert not parsed.complete
    assert parsed.unread == ()
    assert parse(golden("elbencho-files.txt")).complete


def test_errors_are_listed_and_make_the_output_incomplete() -> None:
    parsed = parse(golden("elbencho-no_space.txt"))
    assert not parsed.complete
    assert parsed.unread
    assert all(" ERROR: " in text for _, text in parsed.unread)
    assert value(parsed, "write", "throughput") == 411 * 10**6


@pytest.mark.parametrize("end", [100, 700])
def test_json_that_is_cut_off_is_refused_with_its_line(end: int) -> None:
    first, second, *_ = golden("elbencho-files.json").split("\n")
    with pytest.raises(FormatError, match="no JSON of a phase") as refused:
        parse(f"{first}\n{second[:end]}")
    assert refused.value.line == 2


@pytest.mark.parametrize(
    ("printed", "changed", "listed"),
    [
        ('"iops":"2409"', '"iops":"1e10"', '"IOPS [last]" of elbencho: 1e10'),
        ('"iops":"2409"', '"iops":-5', '"IOPS [last]" of elbencho: -5'),
        ('"iops":"2409"', '"iops":["2409"]', '"IOPS [last]" of elbencho: ["2409"]'),
        ('"threads":"2"', '"threads":"two"', '"threads" of elbencho: two'),
        ('"latency":{', '"latency":7,"others":{', '"latency" of elbencho: 7'),
        ('"config":{', '"config":null,"others":{', '"config" of elbencho: null'),
    ],
)
def test_json_with_something_else_than_a_number_is_listed_with_its_name(
    printed: str, changed: str, listed: str
) -> None:
    line = golden("elbencho-mixed.json").split("\n")[0]
    assert printed in line
    assert parse(line.replace(printed, changed) + "\n").unread == ((1, listed),)


def test_json_whose_values_are_no_texts_is_refused() -> None:
    with pytest.raises(FormatError, match="no operation of elbencho") as refused:
        parse('{"phase_type":["WRITE"],"config":7,"first_done":[],"last_done":{"iops":5}}\n', tool="elbencho")
    assert refused.value.line == 1
