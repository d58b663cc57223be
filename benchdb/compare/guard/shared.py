"""The hardware and system that all runs share: the answer to "on what?" that differences alone do not give."""

from __future__ import annotations

from collections.abc import Sequence

from benchdb.compare.content import SharedFact
from benchdb.facts.fact import Fact
from benchdb.facts.guarding import SKIP
from benchdb.facts.registry import BY_NAME
from benchdb.runs.models import Run

# In the order of the page. `layers` and `raid_level` are left out if there are none.
NAMES = (
    *("cpu", "cpu_threads", "memory", "memory_limit", "controller_cache", "raid_level", "raid_chunk", "disks", "disk"),
    *("layers", "virtualization", "container", "kernel", "os"),
)
NOTHING = ("", "none", "no RAID", "no")


def shared_facts(runs: Sequence[Run]) -> list[SharedFact]:
    """The facts that are known for all of these runs and the same, in words; one run shares all of its own."""
    facts = [_shared(BY_NAME[name], runs) for name in NAMES] if runs else []
    return [fact for fact in facts if fact is not None]


def _shared(of: Fact, runs: Sequence[Run]) -> SharedFact | None:
    assert of.guard is not None, of.name
    (column,) = of.guard.columns(of, runs, frozenset())
    first = column.values[0]
    if first is None or first is SKIP or len(column.known) < len(runs) or column.differs:
        return None
    text = column.say(first)
    return None if text in NOTHING else SharedFact(of.name, of.label, text)
