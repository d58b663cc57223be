"""fio's reports, number by number, compared with a reader that searches each job's text for patterns.

Reads the project's texts, and every file of the directory that BENCHDB_FIO_REPORTS names: public ones are not copied.
"""

import os
from collections import Counter
from pathlib import Path

import pytest

from benchagent.formats import FormatError, decoded, parse
from tests.agents.formats.crude import fio_report as crude
from tests.agents.formats.fio.test_report import VERSIONS, halves
from tests.agents.formats.texts import golden

DIRECTORY = os.environ.get("BENCHDB_FIO_REPORTS")
FILES = sorted(path for path in Path(DIRECTORY).iterdir() if path.suffix == ".txt") if DIRECTORY else []
OWN = {**{version: halves(version)[1] for version in VERSIONS}, "no_space": golden("fio-report_no_space.txt")}


@pytest.mark.parametrize("text", OWN.values(), ids=OWN)
def test_both_find_every_number_of_our_reports(text: str) -> None:
    found, parsed = crude.figures(text), crude.of_parsed(parse(text), text)
    assert parsed.total() > 20
    assert parsed == found - left_out(found - parsed)


def test_every_number_of_the_public_reports_is_found_by_both() -> None:
    for path in FILES:
        text = decoded(path.read_bytes())
        found, parsed = crude.figures(text), of_parser(text)
        assert parsed == found - left_out(found - parsed), path.name


def left_out(lacking: crude.Figures) -> crude.Figures:
    """The percentiles, of which those with few operations beyond them are left out."""
    return Counter({figure: count for figure, count in lacking.items() if figure[0][3].replace(".", "").isdecimal()})


def of_parser(text: str) -> crude.Figures:
    """What the parser finds; nothing in a text that it refuses."""
    try:
        return crude.of_parsed(parse(text), text)
    except FormatError:
        return Counter()
