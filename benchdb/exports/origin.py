"""Where an export comes from: every export says it, so that whoever gets the file can go back to the numbers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Origin:
    """The address of the page; `frozen` if it is a permalink; `shape` is for CSV and TSV (exports/formats/lines.py).

    `notices` are what has to be said first of what is known only now, such as runs that were withdrawn since.
    """

    address: str
    frozen: bool
    shape: str = "cells"
    notices: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """What stands behind the address wherever people read it."""
        if self.frozen:
            return "Frozen: the numbers at this address do not change."
        return "Live, not frozen: this address may show other numbers later. Share the table for a permalink."
