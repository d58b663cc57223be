"""All facts, in the order of filters, menus, columns and files, and what derives from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from .fact import Fact, FormEntry
from .file_system import FILE_SYSTEM
from .machine import MACHINE
from .measuring import MEASURING
from .named import Named
from .names import parts_of_name
from .run import Run
from .storage import STORAGE
from .workload import WORKLOAD


def run_itself(run: Run) -> Named:
    """The run, named by its settings and the time at which it began."""
    return Named.of(run.id, (*parts_of_name(run), f"{run.started_at:%d %b %Y %H:%M}"), str(run.id))


def campaign_of(run: Run, name: str = "campaign_id") -> str | None:
    """What a run says of its campaign; None unless it was read as `hidden` or not, by `in_hidden_campaign`."""
    return str(getattr(run, name) or "") or None if getattr(run, "hidden", True) is False else None


IDENTITY = (
    Fact("campaign", "campaign", campaign_of, absent="no campaign"),
    Fact("campaign_point", "campaign point", partial(campaign_of, name="campaign_point"), absent="no campaign"),
    Fact("run", "run", run_itself, place=True),
)


FACTS: tuple[Fact, ...] = (*WORKLOAD, *FILE_SYSTEM, *STORAGE, *MACHINE, *MEASURING, *IDENTITY)
BY_NAME = {fact.name: fact for fact in FACTS}
DIMENSIONS = tuple(fact for fact in FACTS if fact.of is not None)
CHOSEN = tuple(fact for fact in DIMENSIONS if fact.chosen)
FILED = tuple(fact for fact in DIMENSIONS if fact.filed and fact.filter is not None)
DEVICE = tuple(fact for fact in FACTS if fact.device)
# By the names of their facts; those whose values are not compared come last.
PAGES = dict(sorted(((fact.name, fact.page) for fact in FACTS if fact.page), key=lambda paged: not paged[1].compared))
GUARDED = tuple(sorted((fact for fact in FACTS if fact.guard), key=lambda fact: fact.guard.weight if fact.guard else 0))


def _entry(fact: Fact, entry: FormEntry) -> FormEntry:
    """The entry with the names of its fact, and where its value goes in a document."""
    section, _, inside = fact.path.partition("/")
    named = replace(entry, name=entry.name or fact.name, label=entry.label or fact.label)
    return named if entry.pointer or not inside else replace(named, section=section, pointer=f"/{inside}")


ENTRIES = tuple(_entry(fact, fact.entry) for fact in FACTS if fact.entry is not None)


def columns_of(section: str, facts: Mapping[str, object]) -> dict[str, object]:
    """The columns of a new environment or target from its facts."""
    prefix = f"{section}__"
    return {
        fact.column.removeprefix(prefix): fact.stored_value(facts) for fact in FACTS if fact.column.startswith(prefix)
    }
