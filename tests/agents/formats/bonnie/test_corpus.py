"""Every available output of bonnie++ and Bonnie: the parsed numbers are those of the text, line by line."""

import re
from pathlib import Path

import pytest

from benchagent.formats import parse
from tests.agents.formats.corpus import corpus_files, paths, read
from tests.agents.formats.crude import bonnie
from tests.agents.formats.crude.comparison import differences
from tests.agents.formats.texts import GOLDEN
from tests.plugins.missing import require

BONNIE = {"lkml__test8-2__original-bonnie.txt", "russross__envoy__nfs.log", "russross__envoy__npfs.log"}
# A row that was cut inside its third %CP: the reader keeps the numbers that cannot have lost a digit.
CUT = "lkml__gaia__1.02b-chunk.txt"
GOLDENS = [pytest.param(path, id=f"golden/{path.name}") for path in sorted(GOLDEN.glob("bonnie-*"))]


@pytest.mark.parametrize("path", [*GOLDENS, *corpus_files("bonnie++")])
def test_the_numbers_of_the_text_are_those_of_the_parse(path: Path) -> None:
    expected = bonnie.cells(read(path))
    parsed = parse(path.read_bytes())
    assert parsed.tool == ("bonnie" if path.name in BONNIE else "bonnie++")
    missing, surplus = differences(parsed, expected)
    if path.name == CUT:
        assert list(missing) == [(4, "cpu_of_one_core", 0.01)]
    else:
        assert not missing
    assert not surplus
    assert len(expected) >= 3 or {result.status for result in parsed.results} == {"failed"}


def test_there_are_numbers_in_all_of_them() -> None:
    """The crude reader must find the expected amount of numbers."""
    counts = [sum(bonnie.cells(read(path)).values()) for path in paths("bonnie++")]
    if not counts:
        require("../shared/corpus/*/*/*")
    assert sum(counts) > 5000
    assert sum(1 for number in counts if number < 12) == 1


@pytest.mark.parametrize("path", [path for path in paths("iozone") if path.name.startswith("Cloudxtreme")])
def test_notes_that_hold_outputs_of_both(path: Path) -> None:
    """iozone's rows would be rows of files to a reader that counts words."""
    text = "\n".join("" if re.search(" (5242880|2097152) ", line) else line for line in read(path).split("\n"))
    assert differences(parse(path.read_bytes(), "bonnie++"), bonnie.cells(text)) == ({}, {})
