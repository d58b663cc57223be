"""The source of an export, which every export names, so that readers of the file can find the numbers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Origin:
    """The address of the page; `frozen` if it is a permalink; `shape` is for CSV and TSV (exports/text/lines.py).

    `notices` come first in the file: facts from after the freezing, such as withdrawn runs.
    """

    address: str
    frozen: bool
    shape: str = "cells"
    notices: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The sentence behind the address."""
        if self.frozen:
            return "Frozen: the numbers at this address do not change."
        return "Live, not frozen: this address may show other numbers later. Share the table for a permalink."
