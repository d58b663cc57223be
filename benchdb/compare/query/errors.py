"""Why a selection cannot be evaluated."""

from __future__ import annotations


class ImpossibleSelection(ValueError):
    """The query string asks for something that cannot be; `faults` are sentences that say what would be possible."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__(" ".join(faults))


class NothingThere(ImpossibleSelection):
    """It names a run or a campaign that is not there, or that this reader may not see: both answer the same."""
