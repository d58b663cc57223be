"""The source of an export, which every export names, so that readers of the file can find the numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from benchdb.compare.models import Permalink
from benchdb.compare.page_parts.withdrawn import Withdrawn

CARD = "card"  # the shape of PNG and SVG that is only the verdict card


@dataclass(frozen=True)
class Origin:
    """The address of the page; `frozen` if it is a permalink; `shape` is for CSV and TSV (exports/text/lines.py), or
    `card` for a picture of the verdict card.

    `notices` come first in the file: facts that the content lacks, such as withdrawn runs.
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


def frozen_origin(link: Permalink, address: str, shape: str) -> Origin:
    """The origin of a permalink's file; `address` is that of its page. Needs `with_runs_now`."""
    return Origin(address, True, shape, notices_of(link.withdrawn))


def notices_of(withdrawn: Iterable[Withdrawn]) -> tuple[str, ...]:
    """What a file says of withdrawn runs."""
    return tuple(f"Its owner has withdrawn run {run['run']}: {run['reason'] or 'no reason given'}" for run in withdrawn)
