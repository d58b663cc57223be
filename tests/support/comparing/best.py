"""The best set of one row."""

from benchdb.stats import BestSet, Cells, best_sets


def best_set(cells: Cells, *, higher_is_better: bool = True, level: float = 0.05) -> BestSet:
    """The best set of a row that consists of all these cells."""
    (best,) = best_sets(cells, [range(len(cells))], [higher_is_better], level=level)
    return best
