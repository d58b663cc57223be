"""SMART of the disks below the target, before and after a round: temperature, wear, errors, written bytes.

smartctl is asked only while nothing is measured: it takes some milliseconds of the disk. Never does it wake a disk
(`-n standby`), and never does a round fail because of it.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from typing import Union

from benchagent.formats.smart import MOST_FACTS, SMART
from benchagent.inventory import Source

from .smart_facts import DiskFact, error_of, facts_of

COMMAND = ("smartctl", "--json", "-n", "standby", "-a", "-l", "devstat")
MOST_DISKS = 16
STATUSES = range(256)  # bits: the lowest two mean that nothing was read, the others that the disk is ill

log = logging.getLogger(__name__)
SmartFacts = Mapping[str, DiskFact]
SmartFact = Mapping[str, Union[str, float]]


class SmartReader:
    """Asks smartctl. A disk for which it reports an error is not asked for again, and the first error is a warning."""

    def __init__(self) -> None:
        self._given_up: set[str] = set()
        self._warned = False

    def read(self, source: Source, disks: Collection[str]) -> dict[str, SmartFacts]:
        """The facts of these disks by name, of those that can be read and do not sleep."""
        found = {disk: self._of_disk(source, disk) for disk in sorted(disks)[:MOST_DISKS] if disk not in self._given_up}
        return {disk: facts for disk, facts in found.items() if facts}

    def since(self, source: Source, before: Mapping[str, SmartFacts]) -> tuple[SmartFact, ...]:
        """The facts of the earlier reading beside those of now, as the contract's `evidence.smart` has them."""
        after = self.read(source, before)
        both = [
            (disk, first, after.get(disk, {}).get(name)) for disk, of in before.items() for name, first in of.items()
        ]
        return tuple(_as_json(*each) for each in both[:MOST_FACTS])

    def _of_disk(self, source: Source, disk: str) -> SmartFacts:
        output = source.output(*COMMAND, f"/dev/{disk}", accept=STATUSES)
        if output is None:  # not installed, or no answer
            self._given_up.add(disk)
            return {}
        try:
            facts = {fact.name: fact for fact in facts_of(output)}
        except ValueError:
            facts = {}
            error: str | None = "smartctl printed no JSON; version 7.0 or newer does"
        else:
            error = error_of(output)
        if error is not None and not facts:
            self._give_up(disk, error)
        return facts

    def _give_up(self, disk: str, error: str) -> None:
        self._given_up.add(disk)
        if not self._warned:
            log.warning("SMART of %s is not recorded: %s", disk, error[:200])
        self._warned = True


def _as_json(disk: str, before: DiskFact, after: DiskFact | None) -> SmartFact:
    unit = SMART[before.name]
    fact: dict[str, str | float] = {
        "disk": disk,
        "name": before.name,
        "unit": unit,
        "source": before.source,
        "before": before.value,
    }
    return fact if after is None else {**fact, "after": after.value}
