"""The content of articles' pages besides figures, their first tables, and printed numbers."""

import tomllib
from decimal import Decimal

import pytest
from django.contrib.auth.models import User

from benchdb.compare.query.selection import Selection
from benchdb.compare.table.evaluate import evaluate
from benchdb.compare.table.grid import grid_of
from benchdb.exports.formats import md
from benchdb.publications.data_files import read, slugs
from benchdb.publications.page_files import FOLDER, page_file
from benchdb.publications.printed_numbers import UnreadableNumber, read_printed, read_size
from tests.publications.small_plans import FOLDER as SMALL_PLANS
from tests.publications.small_plans import documents
from tests.support.comparing.exported import LIVE
from tests.support.store import store_run


@pytest.mark.parametrize("slug", slugs()[:-1])
def test_every_file_names_tables_and_runs_that_there_are(slug: str) -> None:
    file, keys = page_file(slug), [table.key for table in page_file(slug).tables]

    assert {run for table in file.tables for run in table.runs} <= set(read(slug).facts["runs"])
    assert {each["table"] for each in file.observations} <= {*keys}
    assert len({*keys}) == len(keys)
    assert tomllib.loads((FOLDER / f"{slug}.toml").read_text()).keys() <= {"tables", "observations", "means"}


@pytest.mark.parametrize(
    ("text", "unit", "mean", "sd", "step"),
    [
        ("100,476.50 ± 167.31", "KiB/s", "102887936", "171325.44", "10.24"),
        ("389", "op/s", "389", None, "1"),
        ("18.7", "%", "0.187", None, "0.001"),
        ("27m10s", "s", "1630", None, "1"),
        ("0m30.641s", "s", "30.641", None, "0.001"),
    ],
)
def test_read_exactly(text: str, unit: str, mean: str, sd: str | None, step: str) -> None:
    found = read_printed(text, unit)
    assert (found.mean, found.sd, found.step) == (Decimal(mean), sd and Decimal(sd), Decimal(step))


@pytest.mark.parametrize("text", ["", "1,00.5", "1.2.3", "12 KB/s", "m3s", "-3", "nan", "1e9"])
def test_refuses_what_no_article_prints(text: str) -> None:
    with pytest.raises(UnreadableNumber):
        read_printed(text, "s")


@pytest.mark.parametrize(
    ("text", "size"), [("16G", 16 << 30), ("28M", 28 << 20), ("64 KiB", 65536), ("100GB", 10**11), ("512", 512)]
)
def test_sizes(text: str, size: int) -> None:
    assert read_size(text) == size


@pytest.mark.parametrize("plan", [path.name.partition(".")[0] for path in sorted(SMALL_PLANS.glob("*.gz"))])
def test_each_cell_has_a_counterpart_and_a_verdict(owner: User, plan: str) -> None:
    runs = [store_run(owner, document).id for document in documents(plan)]
    content = evaluate(Selection(runs=tuple(runs)), owner)[0]
    print(f"\n# {plan}\n\n{md.export(content, LIVE)}")
    table = grid_of(content)

    assert all({table.cells[cell].baseline for cell in rivals.values()} == {True, False} for rivals in table.contests)
    assert not [key for key, cell in zip(table.keys, table.cells, strict=True) if not (cell.verdict or cell.baseline)]
    assert not [label for labels in table.labels.values() for label in labels if "[" in label]
