"""Errors of selections that cannot be evaluated."""

from __future__ import annotations

# The quantities of runs and their results are read one after the other: the runs were deleted, or their raw output was
# read again, between the two.
CHANGED = "The results of these runs have changed this moment. Open the address again."


class ImpossibleSelection(ValueError):
    """The selection of a query string is impossible; `faults` are sentences with the possible values."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__(" ".join(faults))


class NothingThere(ImpossibleSelection):
    """The selection names a run or campaign that does not exist or that is hidden from this reader."""
