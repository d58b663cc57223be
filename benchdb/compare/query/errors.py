"""Errors of selections that cannot be evaluated."""

from __future__ import annotations


class ImpossibleSelection(ValueError):
    """The selection of a query string is impossible; `faults` are sentences with the possible values."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__(" ".join(faults))


class NothingThere(ImpossibleSelection):
    """The selection names a run or campaign that does not exist or that is hidden from this reader."""
