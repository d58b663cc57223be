"""The first table of real runs of each shipped small plan, without further choices. With `-s` it is printed."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from benchdb.compare.query.selection import Selection
from benchdb.compare.table.evaluate import evaluate
from benchdb.compare.table.findings.table_cells import TableCells
from benchdb.exports.formats import md
from tests.support.comparing.exported import LIVE
from tests.support.store import store_run

from .small_plans import FOLDER, documents


@pytest.mark.parametrize("plan", [path.name.partition(".")[0] for path in sorted(FOLDER.glob("*.gz"))])
def test_each_cell_has_a_counterpart_and_a_verdict(owner: User, plan: str) -> None:
    runs = [store_run(owner, document).id for document in documents(plan)]
    content = evaluate(Selection(runs=tuple(runs)), owner)[0]
    print(f"\n# {plan}\n\n{md.export(content, LIVE)}")
    table = TableCells(content)

    assert all({entry.cell.baseline for entry in rivals.values()} == {True, False} for rivals in table.rivals.values())
    assert not [entry.key for entry in table.entries if not (entry.cell.verdict or entry.cell.baseline)]
    assert not [label for labels in table.labels.values() for label in labels if "[" in label]
