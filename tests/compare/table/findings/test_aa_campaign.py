"""A recorded campaign in which nothing differs: four identical ext4 images, 13 tests × 4 record sizes × 14 rounds.

The values in `aa_campaign.csv` are BenchDB's own measurement of November 2026, rounded to five digits.
"""

from __future__ import annotations

import csv
from collections import deque
from pathlib import Path

import pytest

from benchdb.compare.content import Measure
from benchdb.compare.table.content import TableContent
from benchdb.compare.table.content import cells as cells_of
from benchdb.compare.table.findings import table_findings
from benchdb.compare.table.findings.claims import ShapeClaim
from tests.support.comparing.contents import LATENCY, THROUGHPUT, cells, content

MEASURES = {"throughput": THROUGHPUT, "latency_p99": LATENCY}


def campaign(metric: str, first: int) -> TableContent:
    """The table of a metric with the image at this index as the baseline."""
    with (Path(__file__).parent / "aa_campaign.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["metric"] == metric]
    targets = deque(dict.fromkeys(row["target"] for row in rows))
    targets.rotate(-first)
    sizes, tests = ([*dict.fromkeys(row[name] for row in rows)] for name in ("record_size", "test"))
    keys = [(row["record_size"], row["target"], row["test"]) for row in rows]
    values = cells([[float(value) for value in row["values"].split()] for row in rows])
    measure: Measure = MEASURES[metric]
    return content([*targets], tests, dict(zip(keys, values, strict=True)), splits=sizes,
                   measures=dict.fromkeys(tests, measure))  # fmt: skip


@pytest.mark.parametrize("metric", MEASURES)
@pytest.mark.parametrize("first", range(4))
def test_no_image_is_said_to_differ_from_another(metric: str, first: int) -> None:
    made = campaign(metric, first)

    assert len([*cells_of(made)]) == 208
    assert not any(placed.cell.best for placed in cells_of(made))
    for finding in table_findings(made):
        assert not finding.compares or finding.claims
        # The record size may have an effect. A sentence about some images says that the others are undecided.
        for claim in finding.claims:
            assert isinstance(claim, ShapeClaim)
            assert "undecided" in finding.text
