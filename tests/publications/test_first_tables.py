"""The first table of real runs of each shipped small plan, without further choices. With `-s` it is printed."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from benchdb.compare.query.selection import Selection
from benchdb.compare.table.evaluate import evaluate
from benchdb.compare.table.grid import grid_of
from benchdb.exports.formats import md
from tests.support.comparing.exported import LIVE
from tests.support.store import store_run

from .small_plans import FOLDER, documents


@pytest.mark.parametrize("plan", [path.name.partition(".")[0] for path in sorted(FOLDER.glob("*.gz"))])
def test_each_cell_has_a_counterpart_and_a_verdict(owner: User, plan: str) -> None:
    runs = [store_run(owner, document).id for document in documents(plan)]
    content = evaluate(Selection(runs=tuple(runs)), owner)[0]
    print(f"\n# {plan}\n\n{md.export(content, LIVE)}")
    table = grid_of(content)

    assert all({table.cells[cell].baseline for cell in rivals.values()} == {True, False} for rivals in table.contests)
    assert not [key for key, cell in zip(table.keys, table.cells, strict=True) if not (cell.verdict or cell.baseline)]
    assert not [label for labels in table.labels.values() for label in labels if "[" in label]
