"""Every available fio output, number by number, compared with a reader that uses only the look of the lines."""

import re
from pathlib import Path

import pytest

from benchagent.formats import parse
from tests.agents.formats.corpus import corpus_files, read
from tests.agents.formats.crude import fio as crude
from tests.agents.formats.texts import GOLDEN

PERCENTILE = re.compile(r'\s*"[0-9.]+" ?:')
JSON = sorted({*GOLDEN.glob("fio-*json*")})
FILES = [pytest.param(path, id=path.name) for path in JSON] + corpus_files("fio")


@pytest.mark.parametrize("path", FILES)
def test_every_number_is_read_and_every_value_is_printed(path: Path) -> None:
    text, parsed = read(path), parse(path.read_bytes())
    values = {
        line: value
        for result in parsed.results
        for line, value in zip(result.lines, result.values)
        if value is not None
    }
    printed, printed_lines = crude.figures(text), text.split("\n")
    # Percentiles with too few operations beyond them are left out, see tests/agents/formats/reading.
    left_out = [line for line in printed if line not in values and PERCENTILE.match(printed_lines[line - 1])]
    printed = {line: value for line, value in printed.items() if line not in left_out}
    assert {line: value for line, value in values.items() if value} == pytest.approx(printed, rel=1e-12)
    assert (parsed.unread, parsed.tool) == ((), "fio")


@pytest.mark.parametrize("path", FILES)
def test_no_two_numbers_share_a_line(path: Path) -> None:
    lines = [line for result in parse(path.read_bytes()).results for line in result.lines]
    assert not {line for line in lines if lines.count(line) > 1}
