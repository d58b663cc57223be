"""Hostile texts: real ones with pieces changed, cut, doubled and swapped. Only FormatError may come out."""

from __future__ import annotations

import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchagent.formats import FORMATS, FormatError, parse
from benchagent.formats.model import FAILED, OK, UNMEASURABLE
from benchagent.formats.vocabulary import METRICS
from tests.agents.formats.texts import golden, golden_names

NAMES = golden_names("iozone-") + golden_names("bonnie-") + golden_names("fsload-")
# Characters the formats care about, and some they do not expect.
PIECES = st.one_of(
    st.text(st.sampled_from("0123456789 .,+-\n\r\t\"':;={}[]eEkKBMusnaif"), max_size=12),
    st.text(max_size=6),
    st.sampled_from(["0" * 400, "9" * 5000, "NaN", "Infinity", "-1", "1e999", "٣٤", "\x00", "\u2028", "null", '"" ']),
)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    text = golden(draw(st.sampled_from(NAMES)))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 40)))
        piece = draw(st.one_of(PIECES, st.just(text[end : end + 200])))
        text = text[:start] + piece + text[end:]
    return text


def check(text: str, tool: str | None = None) -> None:
    """Whatever comes out keeps the model's promises."""
    try:
        parsed = parse(text, tool)
    except FormatError:
        return
    lines = text.count("\n") + 1
    keys = set()
    for result in parsed.results:
        keys.add((result.test, result.metric, result.file_size, result.record_size, result.threads, str(result.params)))
        assert result.unit == METRICS[result.metric].unit
        assert len(result.lines) == len(result.values) > 0
        assert all(1 <= line <= lines for line in result.lines)
        assert all(value is None or (math.isfinite(value) and value >= 0) for value in result.values)
        has_value = any(value is not None for value in result.values)
        assert result.status in ((OK,) if has_value else (FAILED, UNMEASURABLE))
        assert has_value or result.error
    assert len(keys) == len(parsed.results)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(mutated())
def test_mutations_raise_nothing_but_format_errors(text: str) -> None:
    check(text)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200), st.sampled_from([form.TOOL for form in FORMATS]))
def test_any_text_under_any_tool_s_name(text: str, tool: str) -> None:
    check(text, tool)


@pytest.mark.parametrize(
    "line", ['"' * 50, " " * 50, "1" * 50, "kB ", "= ", "A, ", "1.98,", '{"type":', "Children see ", "[" * 50]
)
def test_long_hostile_lines_are_read_quickly(line: str) -> None:
    """A reader that backtracks would need hours for these 2 MB on one line."""
    head = golden("iozone-ops.txt")
    hostile = line * (2_000_000 // len(line))
    check(head + hostile + "\n")
    check(hostile + head)
    check("Children see throughput for  1 " + hostile + "\n" + head)
