"""elbencho's table of phases and CSV file: first and last done, sizes, latencies, and damaged rows."""

from __future__ import annotations

import pytest

from benchagent.formats import FormatError, Parsed, parse
from tests.agents.formats.texts import golden

PHASES, CSV = golden("elbencho-phases.txt"), golden("elbencho-sweep.csv")


def value(parsed: Parsed, test: str, metric: str, **params: object) -> float | None:
    [found] = [
        result.values[0]
        for result in parsed.results
        if (result.test, result.metric) == (test, metric)
        and {name: result.params.get(name) for name in ("view", "of")} == {"view": None, "of": None, **params}
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
    assert write.params == {"direct": True, "directories": 1, "files": 100}


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


def test_a_row_of_another_length_is_refused_with_its_line() -> None:
    with pytest.raises(FormatError, match="the row has 36 fields, not the 37") as refused:
        parse(CSV.replace(",120900\n", "\n"))
    assert refused.value.line == 3


def test_a_row_that_is_no_csv_is_refused_with_its_line() -> None:
    with pytest.raises(FormatError, match="no row of CSV") as refused:
        parse(CSV.replace(",MKDIRS,", ",MK\rDIRS,"))
    assert refused.value.line == 2


def test_a_table_without_a_phase_is_refused() -> None:
    with pytest.raises(FormatError, match="no phase is there"):
        parse(PHASES.split("MKDIRS")[0])
