"""Bencher Metric Format: measures with units that Bencher defines, and others."""

import pytest

from benchagent.formats import FormatError, parse
from tests.agents.formats.texts import golden


def test_measures_with_a_unit_that_bencher_defines() -> None:
    parsed = parse(golden("bmf-report.json"))
    found = {
        (result.params["benchmark"], result.metric, result.params.get("view")): result.values
        for result in parsed.results
    }
    assert found == {
        ("fsync of 4 KiB", "latency_mean", None): (0.0012500005,),
        ("fsync of 4 KiB", "latency_mean", "lower"): (0.00110000025,),
        ("fsync of 4 KiB", "latency_mean", "upper"): (0.00140000075,),
        ("fsync of 4 KiB", "rate", None): (800.0,),
        ("tests::build", "elapsed", None): (12.5,),
    }
    assert {result.test for result in parsed.results} == {"benchmark"}
    assert parsed.unread == ((8, "tests::build: file-size: 4096"),)


def test_unknown_measures_alone_are_refused() -> None:
    with pytest.raises(FormatError, match="whose units Bencher defines"):
        parse('{"a": {"Total Bytes": {"value": 1}}}')


def test_a_cut_document_is_refused() -> None:
    with pytest.raises(FormatError, match="the JSON is cut off"):
        parse(golden("bmf-report.json")[:-60])
