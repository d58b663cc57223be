"""The content of a table, cell by cell."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from benchdb.compare.query.selection import Selection
from benchdb.compare.table.content import cells
from benchdb.compare.table.evaluate import evaluate
from tests.support.comparing.comparisons import values
from tests.support.documents import GIB, MIB, result
from tests.support.store import store_run


@pytest.mark.parametrize("axes", ["columns=test,metric", "rows=file_system,metric", "split=metric", "rows=metric"])
def test_every_cell_has_its_own_measure(owner: User, axes: str) -> None:
    sizes = {"file_size": GIB, "record_size": MIB}
    run = store_run(
        owner,
        results=[
            result(values(1e8, 3), **sizes),
            result(values(0.1, 3), "write", "cpu_of_one_core", "ratio", **sizes),
        ],
    )

    placed = list(cells(evaluate(Selection.parse(f"run={run.id}&{axes}"), owner)[0]))

    assert [(cell.measure.metric, cell.measure.unit, cell.measure.higher_is_better) for cell in placed] == [
        ("throughput", "MiB/s", True),
        ("cpu_of_one_core", "%", False),
    ]
    assert [cell.cell.metric for cell in placed] == ["throughput", "cpu_of_one_core"]
