"""Hostile texts: real ones with pieces changed, cut, doubled and swapped. They may only raise FormatError.

Hypothesis chooses the mutations in every run; `make test-faults` tries BENCHDB_MUTATIONS of them (100,000), by seeds.
"""

from __future__ import annotations

import functools
import math
import os
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchagent.formats import FormatError, Parsed, all_formats, parse
from benchagent.formats.model import FAILED, OK, UNMEASURABLE
from benchagent.formats.vocabulary import METRICS
from tests.agents.formats.corpus import paths
from tests.agents.formats.texts import GOLDEN, golden

FILES = sorted(GOLDEN.glob("*-*")) + paths()
MUTATIONS = int(os.environ.get("BENCHDB_MUTATIONS") or 0)
LONGEST = 12_000  # characters; longer texts are cut, to leave time for more mutations
TOOLS = [form.TOOL for form in all_formats().text]
# Characters with a meaning in the formats, and some unexpected ones.
ALPHABET = "0123456789 .,+-\n\r\t\"':;={}[]()eEkKBMusnaif%|/#>"
PIECES = ["0" * 400, "9" * 5000, "NaN", "Infinity", "-1", "1e999", "٣٤", "\x00", "\u2028", "\ufffd", "null", '"" ']
PIECES += ["\ud800", "\u00a0", "\x1b[31m", "=3D", "=\n", "> ", "# ", "host: ", "1" * 16, "0.0", "-0", "+++++", "1,5"]


@functools.cache
def texts() -> tuple[str, ...]:
    return tuple(path.read_bytes().decode("utf-8", "replace") for path in FILES)


def mutated(chance: random.Random) -> str:
    """A real text, or a piece of one, with up to four changes."""
    text = chance.choice(texts())
    if len(text) > LONGEST:
        start = chance.choice((0, chance.randrange(len(text) - LONGEST)))
        text = text[start : start + LONGEST]
    for _ in range(chance.randint(1, 4)):
        text = changed(text, chance)
    return text


def changed(text: str, chance: random.Random) -> str:
    start = chance.randint(0, len(text))
    end = min(len(text), start + chance.choice((0, 0, 1, chance.randint(0, 40))))
    kind = chance.randrange(5)
    if kind == 0:
        piece = "".join(chance.choices(ALPHABET, k=chance.randint(0, 12)))
    elif kind == 1:
        piece = chance.choice(PIECES)
    elif kind == 2:
        piece = text[end : end + 200]
    elif kind == 3:  # another tool's words
        other = chance.choice(texts())
        offset = chance.randint(0, len(other))
        piece = other[offset : offset + chance.randint(1, 300)]
    else:  # lines in another order
        lines = text.split("\n")
        first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
        lines[first], lines[second] = lines[second], lines[first]
        return "\n".join(lines)
    return text[:start] + piece + text[end:]


def attempt(text: str | bytes, tool: str | None) -> Parsed | FormatError:
    try:
        return parse(text, tool)
    except FormatError as error:
        return error


def check(text: str | bytes, tool: str | None = None) -> None:
    """Check that every parse result satisfies the model's invariants."""
    parsed = attempt(text, tool)
    if isinstance(parsed, FormatError):
        assert parsed.message
        assert parsed.line >= 1
        assert parsed.column >= 1
        return
    lines = text.count("\n" if isinstance(text, str) else b"\n") + 1
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
    assert all(1 <= line <= lines for line, _ in parsed.unread)


@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32))
def test_mutations_raise_nothing_but_format_errors(seed: int) -> None:
    chance = random.Random(seed)
    text = mutated(chance)
    check(text)
    check(text, chance.choice(TOOLS))


@pytest.mark.skipif(not MUTATIONS, reason="`make test-faults` tries 100,000")
def test_very_many_mutations() -> None:
    first = int(os.environ.get("BENCHDB_SEED") or 0) or random.SystemRandom().randrange(2**40)
    for seed in range(first, first + MUTATIONS):
        try:
            check(mutated(random.Random(seed)))
        except Exception as error:
            pytest.fail(f"the mutation of seed {seed}: {error!r}")


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200), st.sampled_from(TOOLS))
def test_any_text_under_any_tool_s_name(text: str, tool: str) -> None:
    check(text, tool)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300), st.sampled_from([None, *{form.TOOL for form in all_formats().binary}]))
def test_any_bytes(data: bytes, tool: str | None) -> None:
    check(data, tool)


@pytest.mark.parametrize(
    "line", ['"' * 50, " " * 50, "1" * 50, "kB ", "= ", "A, ", "1.98,", '{"type":', "Children see ", "[" * 50]
)
def test_long_hostile_lines_are_read_quickly(line: str) -> None:
    """A backtracking reader would need hours for these 2 MB on one line."""
    head = golden("iozone-ops.txt")
    hostile = line * (2_000_000 // len(line))
    check(head + hostile + "\n")
    check(hostile + head)
    check("Children see throughput for  1 " + hostile + "\n" + head)
