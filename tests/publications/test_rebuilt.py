"""Every figure of the articles is in BenchDB's tables, on their pages and in exports."""

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
# A cell's mean at its beginning, and its standard deviation after ±.
NUMBER = re.compile(r"(?:^|± )(\d[\d.]*)")
MEASURED = ("test", "metric", "file_size", "record_size", "threads")


@dataclass(frozen=True)
class Rebuilt:
    """A cell of a rebuilt table: as JSON, the text on its page, and its line of the CSV."""

    cell: dict[str, Any]
    shown: str
    line: dict[str, str]


def rebuilt(client: Client, publication: Publication) -> Iterator[Rebuilt]:
    """All cells of the tables that are in the article."""
    inline = [table.key for table in page_file(publication.slug).tables if table.inline]
    for address in publication.tables.filter(key__in=inline).values_list("permalink_id", flat=True):
        page = page_of(client.get(f"/c/{address}/?show=rounds"))
        shown = {text.key: text.text for row in page.tables["comparison"] for text in row if text.key}
        lines = list(csv.DictReader(io.StringIO(client.get(f"/c/{address}.csv").content.decode())))
        measured = [
            (cell, shown.pop(f"c{g}-{r}-{c}"))
            for g, group in enumerate(client.get(f"/c/{address}.json").json()["groups"])
            for r, row in enumerate(group["rows"])
            for c, cell in enumerate(row["cells"])
            if cell is not None
        ]
        assert not shown
        for (cell, text), line in zip(measured, lines, strict=True):
            yield Rebuilt(cell, text.replace("\u202f", ""), line)


def is_of(found: Rebuilt, figure: ArticleFigure, run: str) -> bool:
    """Whether the cell has the same dimensions as the figure, and its number."""
    same = all(found.cell[name] == getattr(figure, name) for name in MEASURED)
    return same and found.cell["runs"] == [run] and found.cell["mean"] == float(figure.printed.mean)


def numbers_shown(cells: list[Rebuilt]) -> Counter[Decimal]:
    """How often the pages show every mean and standard deviation."""
    found = [number for each in cells for number in NUMBER.findall(each.shown.replace("(best) ", ""))]
    return Counter(Decimal(mean_or_sd) for mean_or_sd in found)


def number(figure: str) -> Decimal:
    """The displayed number for a figure of the transcription: `1,234.50`, `4m42.252s` in seconds."""
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
        matches = [cell for cell in cells if is_of(cell, figure, runs[figure.run])]
        assert matches, figure
        for cell in matches:
            same_on_page_and_in_export(cell, figure)

    # The same for the second transcription, which is independent of the data file; "+++++" is shown as "too fast".
    figures = [figure for line in transcribed(slug).values() for figure in line]
    assert not Counter(number(text) for text in figures if "+" not in text) - numbers_shown(cells)
    assert sum("too fast" in cell.shown for cell in cells) == sum("+" in text for text in figures)


def same_on_page_and_in_export(cell: Rebuilt, figure: ArticleFigure) -> None:
    """The page has the printed digits, the export the value in base units, and both a standard deviation if printed."""
    per, printed = UNITS[figure.unit][1], figure.printed
    assert (float(cell.line["mean"]), cell.line["n"]) == (float(printed.mean), str(figure.n or "")), figure
    assert cell.line["sd"] == "" if printed.sd is None else float(cell.line["sd"]) == float(printed.sd), figure
    shown = [Decimal(text) for text in NUMBER.findall(cell.shown.replace("(best) ", ""))]
    assert shown == [figure_ / per for figure_ in (printed.mean, printed.sd) if figure_ is not None], figure
