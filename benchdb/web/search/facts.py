"""Matches among the facts of runs: hardware, kernels, file systems, tools and machines.

All of them come from the runs that the reader may list, counted in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

import numpy as np
from django.urls import reverse

from benchdb.catalog.models import Machine
from benchdb.components.kinds import KINDS, Identity
from benchdb.components.listed_runs import PLACES, ListedRuns, Mask
from benchdb.wording.names import told_apart
from benchdb.wording.numbers import plural

from .found import MOST_LINES, FoundSection

LISTS = {"cpu": "CPU", "os": "system"}  # facets whose matches lead to the list of runs


def models(words: Sequence[str], listed: ListedRuns) -> FoundSection:
    """Hardware, kernels, file systems and tools, those with the most runs first; no query."""
    everything = np.ones(listed.ids.size, dtype=bool)
    with_pages = [
        (
            (-each.runs, str(each.identity[0]), _chunk(each.identity)),
            kind.address(each.identity),
            kind.say(each.identity),
            f"{kind.noun}, {plural(each.runs, 'run')}",
        )
        for kind in KINDS.values()
        for each in listed.count(kind, everything)
        if _contains(str(each.identity[0] or ""), words)
    ]
    without_pages = [
        ((-runs, value, 0), f"{reverse('runs')}?{urlencode({facet: value})}", value, f"{label}, {plural(runs, 'run')}")
        for facet, label in LISTS.items()
        for value, runs in listed.by_value(facet, everything)
        if value is not None and _contains(value, words)
    ]
    found = sorted([*with_pages, *without_pages])[:MOST_LINES]
    return FoundSection(
        "Models, kernels, file systems",
        [{"href": href, "text": text, "note": note} for _, href, text, note in found],
    )


def _chunk(identity: Identity) -> int:
    """The chunk of a RAID layout; an unknown one comes last."""
    return identity[1] if len(identity) > 1 and isinstance(identity[1], int) else 1 << 63


def machines(words: Sequence[str], listed: ListedRuns) -> FoundSection:
    """Machines with such runs, by name and CPU, in the order of their names; one query."""
    present = [int(value) for value, _ in listed.by_value("machine", np.ones(listed.ids.size, dtype=bool)) if value]
    known = Machine.objects.filter(pk__in=present).values_list("pk", "name")
    names = told_apart({str(key): name for key, name in known})
    mask = np.ones(listed.ids.size, dtype=bool)
    for word in words:
        mask &= _having(listed, "cpu", word, {}) | _having(listed, "machine", word, names)
    found = [(names[key], int(key), runs) for key, runs in listed.by_value("machine", mask) if key in names]
    return FoundSection(
        "Machines",
        [
            {"href": reverse("machine", args=[key]), "text": name, "note": plural(runs, "run")}
            for name, key, runs in sorted(found)[:MOST_LINES]
        ],
    )


def _having(listed: ListedRuns, facet: str, word: str, names: dict[str, str]) -> Mask:
    """The mask of the rows whose value contains a word; `names` has the texts of values that are ids."""
    values = listed.values[PLACES[facet]]
    texts = ["" if value is None else names.get(str(value), str(value)) for (value,) in values]
    having: Mask = np.array([_contains(text, [word]) for text in texts], dtype=bool)[listed.codes[PLACES[facet]]]
    return having


def _contains(text: str, words: Sequence[str]) -> bool:
    """Whether a text contains all words, in upper or lower case."""
    return all(word.upper() in text.upper() for word in words)
