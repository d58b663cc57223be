"""Every available real output: one format recognizes it, and every value is in the text, in the line of its result.

The opposite direction, that every number of the text was read, is tested in each tool's own test_corpus_TOOL.py.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from benchagent.formats import FormatError, Parsed, all_formats, parse
from benchagent.formats.reading.sources import source_texts
from tests.agents.formats.corpus import corpus_files, paths, read
from tests.agents.formats.texts import GOLDEN

TEXTS = [pytest.param(path, id=f"golden/{path.name}") for path in sorted(GOLDEN.glob("*-*"))]
TEXTS = [
    param for param in TEXTS if "fsload" not in str(param.id)
] + corpus_files()  # fsload prints bytes and time, apart
UNIT_UNKNOWN = {  # iozone has three units, and these texts lack the line with the unit
    "Cloudxtreme__cdx_docs__raid-perf.txt",
    "toby1984__iozone-renderer__iozone.txt",
    "unknown__beegfs-notes__excel-single-cell.txt",
}
# Factors by which a printed number may be multiplied to get the base unit.
FACTORS = {
    "B/s": (1, 2**10, 2**20, 2**30, 1e3, 1e6, 1e9),
    "s": (1, 1e-3, 1e-6, 1e-9, 60),
    "op/s": (1, 1e3, 1e6),
    "ratio": (1, 1e-2),
    "B": (1, 2**10, 2**20),
}
NUMBER = re.compile(r"(?<![0-9.])[0-9]+(?:[.,][0-9]+)?(?:[eE][-+]?[0-9]+)?")
COMPOSITE = re.compile(r"(?:([0-9]+)h)? ?(?:([0-9]+)[m:])? ?([0-9]+(?:[.,][0-9]+)?)")


def text_of(path: Path) -> str:
    """The text, with its unit added above if it contains none."""
    text = read(path)
    return f"Output is in kBytes/sec\n{text}" if path.name in UNIT_UNKNOWN else text


@cache
def attempt(path: Path) -> Parsed | FormatError:
    """The results of a file, or why it has none."""
    try:
        return parse(text_of(path))
    except FormatError as error:
        return error


@pytest.mark.parametrize("path", TEXTS)
def test_it_is_read_or_said_what_it_is(path: Path) -> None:
    parsed = attempt(path)
    if isinstance(parsed, FormatError):
        assert re.search("not its output|this is output of iozone, and no result in it could be read", parsed.message)
    else:
        assert len(parsed.results), parsed.warnings


@pytest.mark.parametrize("path", [path for path in paths() if path.name in UNIT_UNKNOWN], ids=lambda path: path.name)
def test_a_unit_that_is_not_stated_is_not_guessed(path: Path) -> None:
    with pytest.raises(FormatError, match="the unit is not stated"):
        parse(read(path))


@pytest.mark.parametrize("path", TEXTS)
def test_one_format_knows_it(path: Path) -> None:
    """One format recognizes the text, or the parse names the others; any tool may also run under `time`."""
    for part in source_texts(text_of(path), lambda text: any(form.recognises(text) for form in all_formats().text)):
        known = {form.TOOL for form in all_formats().text if form.recognises(part.text) and form.TOOL != "time"}
        if len(known) > 1:
            parsed = parse(part.text)
            told = {tool for tool in known if any(f"--tool {tool}" in warning for warning in parsed.warnings)}
            assert told == known - {parsed.tool}


@pytest.mark.parametrize("path", TEXTS)
def test_it_reads_the_same_under_its_tools_name(path: Path) -> None:
    """An import does not name the tool, but a later parse of its run does; the results must be the same."""
    try:
        parsed = parse(path.read_bytes())
    except FormatError:
        return
    again = parse(path.read_bytes(), parsed.tool)
    assert (tuple(again.results), again.unread) == (tuple(parsed.results), parsed.unread)
    assert (again.complete, again.parameters) == (parsed.complete, parsed.parameters)


@pytest.mark.parametrize("path", TEXTS)
def test_every_value_stands_in_the_line_it_names(path: Path) -> None:
    """But for fio's steady state: its line says that it was attained, and the time is the job's, which it ended."""
    text = text_of(path)
    parsed = attempt(path)
    lines = text.split("\n")
    for result in parsed.results if isinstance(parsed, Parsed) else ():
        for value, line in zip(result.values, result.lines, strict=True):
            whole = lines[line - 1]
            if whole.endswith("="):  # mail's quoted-printable broke it
                whole = whole[:-1] + lines[line]
            if '"attained"' not in whole:
                assert value is None or stands_in(value, result.unit, whole), (result, whole)


def stands_in(value: float, unit: str, line: str) -> bool:
    """Whether one of the line's numbers, or its minutes and seconds, is the value in the printed unit."""
    # Touching columns: any part of a long row of digits may be a number.
    if unit == "B/s" and re.search("[0-9]{12}", line) and str(round(value / 2**10)) in line:
        return True
    words = {form for word in NUMBER.findall(line) for form in (word.replace(",", "."), *word.split(","))}
    numbers = [float(word) for word in words]
    if unit == "s":
        for hours, minutes, seconds in COMPOSITE.findall(" ".join(line.split())):
            numbers.append(int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(seconds.replace(",", ".")))
    return any(abs(number * factor - value) <= 1e-9 * value for number in numbers for factor in FACTORS[unit])
