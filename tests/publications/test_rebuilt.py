"""Every figure of the articles is found on the tables that BenchDB makes of them, on their pages and in exports."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from benchdb.publications.data_files import ArticleFigure, read
from benchdb.publications.models import Publication
from benchdb.publications.page_files import page_file
from benchdb.publications.printed_numbers import UNITS
from tests.publications.crude import READERS, transcribed
from tests.support.html import read as page_of

pytestmark = pytest.mark.django_db
# A cell's mean at its beginning, and its sd after ±.
NUMBER = re.compile(r"(?:^|± )(\d[\d.]*)")
MEASURED = ("test", "metric", "file_size", "record_size", "threads")


@dataclass(frozen=True)
class Rebuilt:
    """A cell of a rebuilt table: as JSON, the text on its page, and its line of the CSV."""

    cell: dict[str, Any]
    shown: str
    line: dict[str, str]


def rebuilt(client: Client, publication: Publication) -> Iterator[Rebuilt]:
    """All cells of the tables that stand in the article."""
    inline = [table.key for table in page_file(publication.slug).tables if table.inline]
    for address in publication.tables.filter(key__in=inline).values_list("permalink_id", flat=True):
        page = page_of(client.get(f"/c/{address}/"))
        shown = [text.text for row in page.tables["comparison"] for text in row if text.classes.startswith("td")]
        lines = list(csv.DictReader(io.StringIO(client.get(f"/c/{address}.csv").content.decode())))
        cells = [
            cell
            for group in client.get(f"/c/{address}.json").json()["groups"]
            for row in group["rows"]
            for cell in row["cells"]
        ]
        assert len(cells) == len(shown)
        measured = [(cell, text) for cell, text in zip(cells, shown, strict=True) if cell is not None]
        for (cell, text), line in zip(measured, lines, strict=True):
            yield Rebuilt(cell, text.replace("\u202f", ""), line)


def is_of(found: Rebuilt, figure: ArticleFigure, run: str) -> bool:
    """Whether the cell measures what the figure does, and has its number."""
    same = all(found.cell[name] == getattr(figure, name) for name in MEASURED)
    return same and found.cell["runs"] == [run] and found.cell["mean"] == float(figure.printed.mean)


def numbers_shown(cells: list[Rebuilt]) -> Counter[Decimal]:
    """Every mean and standard deviation that the pages show, however often."""
    found = [number for each in cells for number in NUMBER.findall(each.shown.replace("(best) ", ""))]
    return Counter(Decimal(mean_or_sd) for mean_or_sd in found)


def number(figure: str) -> Decimal:
    """What a page shows for a figure of the transcription: `1,234.50`, `4m42.252s` in seconds."""
    minutes, m, seconds = figure.rstrip("s").rpartition("m")
    return 60 * int(minutes) + Decimal(seconds) if m else Decimal(figure.replace(",", ""))


@pytest.mark.parametrize("slug", READERS)
def test_every_figure_of_an_article_is_on_its_rebuilt_tables(
    client: Client, loaded: dict[str, Publication], slug: str
) -> None:
    article, publication = read(slug), loaded[slug]
    runs = {key: str(run) for key, run in publication.published_runs.values_list("key", "run_id")}
    cells = list(rebuilt(client, publication))

    for figure in article.figures:
        found = [each for each in cells if is_of(each, figure, runs[figure.run])]
        assert found, figure
        for each in found:
            same_on_page_and_in_export(each, figure)

    # And the second transcription, which knows nothing of the data file; "+++++" shows as "too fast".
    figures = [figure for line in transcribed(slug).values() for figure in line]
    assert not Counter(number(each) for each in figures if "+" not in each) - numbers_shown(cells)
    assert sum("too fast" in each.shown for each in cells) == sum("+" in each for each in figures)


def same_on_page_and_in_export(found: Rebuilt, figure: ArticleFigure) -> None:
    """The page shows the digits that were printed, the export has them in base units; no sd where none is printed."""
    per, printed = UNITS[figure.unit][1], figure.printed
    assert (float(found.line["mean"]), found.line["n"]) == (float(printed.mean), str(figure.n or "")), figure
    assert found.line["sd"] == "" if printed.sd is None else float(found.line["sd"]) == float(printed.sd), figure
    shown = [Decimal(each) for each in NUMBER.findall(found.shown.replace("(best) ", ""))]
    assert shown == [each / per for each in (printed.mean, printed.sd) if each is not None], figure
