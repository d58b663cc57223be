"""A recorded campaign in which nothing differs: four identical ext4 images, 13 tests × 4 record sizes × 14 rounds.

The values in `aa_campaign.csv` are BenchDB's own measurement of November 2026, rounded to five digits.
"""

import csv
from collections import deque
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from benchdb.compare.content import Measure
from benchdb.compare.table.content import TableContent
from benchdb.compare.table.content import cells as cells_of
from benchdb.compare.table.findings import table_findings
from benchdb.compare.table.findings.claims import ShapeClaim
from benchdb.compare.table.grid import grid_of
from tests.support.comparing.contents import LATENCY, THROUGHPUT, cells, content

MEASURES = {"throughput": THROUGHPUT, "latency_p99": LATENCY}


def recorded(metric: str) -> list[dict[str, str]]:
    """The results of a metric, with `values` separated by spaces."""
    with (Path(__file__).parent / "aa_campaign.csv").open() as file:
        return [row for row in csv.DictReader(file) if row["metric"] == metric]


def campaign(metric: str, first: int) -> TableContent:
    """The table of a metric with the image at this index as the baseline."""
    rows = recorded(metric)
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
    for finding in table_findings(grid_of(made)):
        assert not finding.compares or finding.claims or finding.text.startswith("No difference was found against")
        # The record size has an effect, see below. A sentence about some images says that the others are undecided.
        for claim in finding.claims:
            assert isinstance(claim, ShapeClaim)
            assert "undecided" in finding.text


@pytest.mark.parametrize("metric", MEASURES)
def test_a_change_along_record_sizes_is_that_of_the_other_identical_images(metric: str) -> None:
    """The other images took no part in what a sentence says, and all of them change in the same direction.

    Ranks decide, because some values of the others lie far below the rest. The median of the others lies in the
    sentence's interval.
    """
    made = campaign(metric, 0)
    sizes, tests = ([*dict.fromkeys(row[name] for row in recorded(metric))] for name in ("record_size", "test"))
    values = {
        (row["target"], row["record_size"], row["test"]): np.array(row["values"].split(), dtype=float)
        for row in recorded(metric)
    }
    images = {target for target, _, _ in values}
    grid = grid_of(made)
    said = [claim for finding in table_findings(grid) for claim in finding.claims if isinstance(claim, ShapeClaim)]
    named: dict[tuple[str, ...], set[str]] = {}
    changes = {}
    for claim in said:
        for change in claim.changes:
            (before, _, column), (after, _, _) = grid.at[[change.against, change.cell]].tolist()
            place = (sizes[before], sizes[after], tests[column])
            named.setdefault(place, set()).add(claim.value)
            changes[place] = change

    assert bool(changes) == (metric == "throughput")
    for (before_size, after_size, test), change in changes.items():
        others = images - named[before_size, after_size, test]
        sides = [(values[image, after_size, test], values[image, before_size, test]) for image in sorted(others)]
        direction = "greater" if change.ratio > 1 else "less"
        of_images = [stats.mannwhitneyu(*side, alternative=direction).pvalue for side in sides]
        medians = [np.median(after) / np.median(before) for after, before in sides]

        assert len(others) == 3
        assert max(of_images) < 0.05
        assert stats.combine_pvalues(of_images, method="stouffer").pvalue < 1e-5
        assert change.low < np.median(medians) < change.high
