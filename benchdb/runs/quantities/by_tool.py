"""How much each tool has to compare: which of several comparisons of the same runs says most."""

from __future__ import annotations

from benchdb.runs.listing.headlines import main_metric

from .columns import Quantities

MOST_SIZES = 8  # of records beside each other in a table; of more, the table shows one


def figures_by_tool(quantities: Quantities) -> dict[str, int]:
    """By tool, about how many figures of a run a table compares: its tests, at each size of records.

    The tool with the most is first. Only the main metric counts, so a tool without one, such as mkfs, has none.
    """
    counts: dict[str, int] = {}
    for tool in quantities.values("tool", quantities.everything()):
        of_tool = quantities.having("tool", {tool})
        pairs = quantities.combinations(("metric", "test"), of_tool)
        main = main_metric((str(metric), str(test)) for metric, test in pairs)
        of_main = of_tool & quantities.having("metric", {main})
        sizes = ("test", "record_size") if len(quantities.values("record_size", of_main)) <= MOST_SIZES else ("test",)
        counts[str(tool)] = len(quantities.combinations(sizes, of_main)) if main else 0
    return dict(sorted(counts.items(), key=lambda item: -item[1]))
