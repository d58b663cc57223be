"""The facts of runs as codes: facets, and each mount option and option of mkfs for itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from benchdb.facts.registry import CHOSEN
from benchdb.runs.listing.facet_rows import OF_ROW, Integers, Members, kept
from benchdb.runs.listing.filters import Facet
from benchdb.stats.arrays import BoolArray, IntArray

CONFIGURATION = tuple(fact.filter.name or fact.name for fact in CHOSEN if fact.filter is not None)
"""The facets that a person chooses for a machine; all others are its hardware, its system, or the workload."""
NO_FACTS = ("tool", "test", "article")
PREFIXES = {"mount_option": "mount option", "mkfs_options": "mkfs"}
"""Of the labels of the facets whose options are a fact each."""
ACCESS_TIMES = frozenset({"noatime", "relatime", "strictatime"})  # each excludes the others
MOST_OPTIONS = 100  # of a facet, that are a fact each
OPTION = re.compile(r"\s+(?=-)")
PLACES = {facet.name: place for place, facet in enumerate(OF_ROW)}


@dataclass(frozen=True, slots=True, eq=False)
class VariedFact:
    """A fact of N runs: run i has `values[codes[i]]`. `name` is that of a facet, or `mount_option.noatime`."""

    name: str
    label: str
    values: Sequence[str]
    codes: IntArray

    def words(self, code: int) -> str:
        """The value with its label: `read-ahead 4 MiB`; of options with their name: `data ordered`, `sync without`."""
        return f"{self.label.removeprefix(_prefix_of(self.label))} {self.values[code]}"


class FacetCodes(NamedTuple):
    """The facets of N runs: `codes` (facets, N) are indices into the distinct `values` of each facet."""

    codes: Integers
    values: Sequence[Sequence[Members]]

    def of(self, name: str) -> tuple[IntArray, list[Members]]:
        """The codes (N,) of a facet, and the values that occur, in order: none first, sizes and numbers ascend."""
        place = PLACES[name]
        used, codes = np.unique(self.codes[place], return_inverse=True)
        values = [self.values[place][code] for code in used.tolist()]
        order = sorted(range(len(values)), key=lambda code: _rank(values[code]))
        new = np.empty(len(order), dtype=np.int64)
        new[order] = np.arange(len(order))
        return new[codes], [values[code] for code in order]

    def options(self) -> int:
        """The approximate number of options of all runs; runs with the same options count once."""
        return sum(
            len(members) + len(str(members[0])) // 10
            for place in map(PLACES.__getitem__, PREFIXES)
            for members in map(self.values[place].__getitem__, np.unique(self.codes[place]).tolist())
        )


def facet_codes(rows: Integers) -> tuple[FacetCodes, BoolArray]:
    """The facets of runs with these rows of `Facets`, and the mask of the runs whose row was not deleted meanwhile."""
    found, places = kept.rows(rows)
    stored = places >= 0
    return FacetCodes(found.codes[:, places[stored]], found.values), stored


def facts_of(facets: FacetCodes, machines: Mapping[str, str]) -> list[VariedFact]:
    """All facts that differ between the runs. `machines` are the names of machines by id."""
    facts: list[VariedFact] = []
    for facet in OF_ROW:
        if facet.name in NO_FACTS:
            continue
        codes, values = facets.of(facet.name)
        if facet.name in PREFIXES:
            facts += _options(facet, codes, values)
        elif len(values) > 1:
            facts.append(
                VariedFact(facet.name, facet.label, [facet.on_page(value[0], machines) for value in values], codes)
            )
    return facts


def _options(facet: Facet, codes: IntArray, values: Sequence[Members]) -> list[VariedFact]:
    """A fact for each option that some of the runs have, or have with another value."""
    split = _mount_options if facet.name == "mount_option" else _mkfs_options
    options = [split(members) for members in values]
    if facet.name == "mount_option":
        options = _without_opposites(options)
    runs = np.bincount(codes, minlength=len(options)).tolist()
    having: Counter[str] = Counter()
    places: dict[str, list[int]] = {}
    for place, each in enumerate(options):
        for name in each:
            having[name] += runs[place]
            places.setdefault(name, []).append(place)
    prefix = PREFIXES[facet.name]
    facts = []
    # What a single run has explains nothing. Of the others, the commonest.
    several = sorted((name for name in having if having[name] > 1), key=lambda name: (-having[name], name))
    for name in sorted(several[:MOST_OPTIONS]):
        texts = {place: options[place][name] for place in places[name]}
        distinct = {*texts.values(), *(["without"] if len(texts) < len(options) else [])}
        known = sorted(distinct, key=lambda text: (text != "without", _numbers(text)))
        if len(known) > 1:
            code_of = {text: code for code, text in enumerate(known)}
            of_value = np.zeros(len(options), dtype=np.int64)  # "without" is the first
            of_value[list(texts)] = [code_of[text] for text in texts.values()]
            facts.append(VariedFact(f"{facet.name}.{name}", f"{prefix} {name}", known, of_value[codes]))
    return facts


def _mount_options(members: Members) -> dict[str, str]:
    """`{"noatime": "with", "commit": "30"}`; nothing if the options are not known."""
    parts = (str(text).partition("=") for text in members if text is not None)
    return {name: value if equals else "with" for name, equals, value in parts}


def _without_opposites(options: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    """The options with one name for each pair of opposites that the runs have: `nobarrier` is no `barrier`."""
    names = {name for each in options for name in each}
    opposites = {name for name in names if name.startswith("no") and name[2:] in names}
    access_times = ACCESS_TIMES & names if len(ACCESS_TIMES & names) > 1 else set()
    kept_options = []
    for each in options:
        found = {name: text for name, text in each.items() if name not in opposites | access_times}
        if chosen := sorted(access_times & each.keys()):
            found["atime"] = chosen[0]
        kept_options.append(found)
    return kept_options


def _mkfs_options(members: Members) -> dict[str, str]:
    """`{"-O": "^has_journal"}`; several of one name together."""
    found: dict[str, str] = {}
    for text in (str(member or "") for member in members):
        for option in OPTION.split(text) if text.startswith("-") else ():
            name, _, value = option.partition(" ")
            found[name] = f"{found[name]} {value}".strip() if name in found else value or "with"
    return found


def joined(texts: Iterable[str]) -> str:
    """Labels of facts as one text, with what neighbours begin with only once: `mount option data, delalloc`."""
    parts = []
    before = ""
    for text in texts:
        prefix = _prefix_of(text)
        parts.append(text.removeprefix(prefix) if prefix == before else text)
        before = prefix
    return ", ".join(parts)


def _prefix_of(label: str) -> str:
    return next((f"{prefix} " for prefix in PREFIXES.values() if label.startswith(f"{prefix} ")), "")


def say_options(members: Members, common: Iterable[str]) -> str:
    """Mount options without those that all have: `noatime, commit=30`; "" for none."""
    left_out = set(common)
    return ", ".join(str(text) for text in members if text is not None and text not in left_out)


def _rank(members: Members) -> tuple[object, ...]:
    first = members[0]
    if first is None:
        return (0,)
    return (1, first if isinstance(first, int) else _numbers(first), members)


def _numbers(text: str) -> tuple[tuple[int, str], ...]:
    """A sort key with numbers by their size: `6.2` before `6.12`."""
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", text[:200]) if part)
