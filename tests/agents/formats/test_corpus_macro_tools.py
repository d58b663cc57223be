"""Every output of FFSB, Filebench, fdtree and Geriatrix: the parsed numbers are those of the text, line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchagent.formats import FormatError, parse
from tests.agents.formats.corpus import corpus_files, read
from tests.agents.formats.crude import fdtree, ffsb, filebench, geriatrix
from tests.agents.formats.crude.comparison import differences

READERS = {"fdtree": fdtree, "ffsb": ffsb, "filebench": filebench, "geriatrix": geriatrix}
# The amount of numbers in the corpus, to detect a reader that finds nothing.
LEAST = {"fdtree": 9, "ffsb": 8, "filebench": 21, "geriatrix": 1}


@pytest.mark.parametrize("path", corpus_files(*READERS))
def test_the_numbers_of_the_text_are_those_of_the_parse(path: Path) -> None:
    tool = path.parent.name
    expected = READERS[tool].cells(read(path))
    if not expected:
        with pytest.raises(FormatError, match="not its output"):
            parse(path.read_bytes())
        return
    parsed = parse(path.read_bytes())
    assert parsed.tool == tool
    assert differences(parsed, expected) == ({}, {})
    assert sum(expected.values()) >= LEAST[tool]
