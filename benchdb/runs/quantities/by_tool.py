"""How much each tool measured: which of several comparisons of the same runs says most."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

import numpy as np

from benchdb.runs.listing.headlines import main_metric

from .reading import quantities_of


def figures_by_tool(run_ids: Iterable[UUID]) -> dict[str, int]:
    """The number of distinct quantities in the main metric of each tool of these runs, most first. One query.

    A tool without a main metric, such as mkfs, counts as 0.
    """
    quantities = quantities_of(run_ids)
    counts: dict[str, int] = {}
    for tool in quantities.values("tool", quantities.everything()):
        of_tool = quantities.having("tool", {tool})
        pairs = quantities.combinations(("metric", "test"), of_tool)
        main = main_metric((str(metric), str(test)) for metric, test in pairs)
        counts[str(tool)] = int(np.count_nonzero(of_tool & quantities.having("metric", {main}))) if main else 0
    return dict(sorted(counts.items(), key=lambda item: -item[1]))
