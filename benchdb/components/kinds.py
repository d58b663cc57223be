"""The kinds of components: the facets that identify one, and the settings that follow from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchdb.catalog.component_addresses import (
    component_address,
    raid_address,
    read_raid_name,
    say_raid,
)
from benchdb.facts.dimension import DimensionValue
from benchdb.facts.fact import Page
from benchdb.facts.registry import PAGES
from benchdb.runs.listing.filters import FACETS
from benchdb.runs.listing.query import RunListQuery

Identity = tuple[DimensionValue, ...]  # the values of the facets of a kind; None if not known


@dataclass(frozen=True)
class KindDescription:
    """The components of the fact `key`: its values, or pairs of values if its page has another fact beside it."""

    key: str
    page: Page

    @property
    def noun(self) -> str:
        """What a component is called."""
        return self.page.noun or FACETS[self.key].label

    @property
    def facets(self) -> tuple[str, ...]:
        """The names of the facets whose values identify a component."""
        return (self.key, self.page.beside) if self.page.beside else (self.key,)

    @property
    def plural(self) -> str:
        """The plural of `noun`."""
        return f"{self.noun}s"

    def identities(self, name: str) -> Sequence[Identity]:
        """What a name in an address may mean, the likeliest first; nothing for an impossible name."""
        facet = FACETS[self.key]
        if not self.page.beside and name == facet.word:
            return [(None,), (name,)]
        try:
            return [read_raid_name(name) if self.page.beside else (facet.value(name),)]
        except ValueError:
            return []

    def address(self, identity: Identity) -> str:
        """The address of a component."""
        if self.page.beside:
            return raid_address(*_raid(identity))
        return component_address(self.key, None if identity[0] is None else FACETS[self.key].parameter(identity[0]))

    def query(self, identity: Identity) -> RunListQuery:
        """The query of the list of its runs."""
        return RunListQuery(facets={name: (value,) for name, value in zip(self.facets, identity, strict=True)})

    def say(self, identity: Identity) -> str:
        """The name of a component on pages."""
        return say_raid(*_raid(identity)) if self.page.beside else FACETS[self.key].print(identity[0])


def _raid(identity: Identity) -> tuple[str | None, int | None]:
    level, chunk = identity
    return None if level is None else str(level), chunk if isinstance(chunk, int) else None


KINDS = {name: KindDescription(name, page) for name, page in PAGES.items()}
