"""Refuses parts of a document that hold too many values or too long texts, before they take time and memory.

A document is large because of its results, rounds, series and raw output. Each fact is checked and stored as JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice

import numpy as np

from benchdb.wording.names import LABEL_CHARACTERS

from .columns import SentResults
from .faults import MOST_LISTED, Fault, pointer, shown
from .json_text import MOST_FIELDS, Raw
from .marks import count, marks_of_parts, marks_outside_strings

MOST_FACTS = 100_000  # values of one part of a document other than its results, rounds, series and raw output
MOST_OF_ITEM = 2_000  # values of a round with its evidence, which may have 1,200, or of all that describes a result
MOST_OF_CAMPAIGN = 200_000  # ten thousand targets, workloads and points have 130,000
# Characters of all texts of a part that pages and lists read whole. The longest of real runs have a tenth of it.
LONGEST = {
    ("labels",): LABEL_CHARACTERS,
    ("workload", "command"): 65_536,
    ("workload", "parameters"): 16_384,
    ("target", "file_system"): 16_384,
    ("target", "mount"): 16_384,
    ("target", "stack"): 262_144,
    ("target", "extra"): 65_536,
    ("environment", "extra"): 65_536,
    ("extra",): 65_536,
    ("rounds",): 64_000_000,  # a thousand rounds with all the kernel messages that an agent keeps have 53 million
}
MOST_PARAMS = 1_000_000  # characters of the distinct params of all results, which comparisons and questions read whole
MOST_CHARACTERS = 1_000_000  # of any other part that has no list of its own
_LISTS = ("artifacts", "rounds", "series")
_OF_RESULTS = ("params", "summary", "evidence")


def too_large_text(body: bytes) -> Iterator[Fault]:
    """Faults of parts that surely have too many values, found before the document is built.

    A value has at most one comma and one bracket of its own. Names are what costs: 1.9 million of them took 1 s, and
    150 MB. A document without so many is not looked at.
    """
    if count(body, b":") <= MOST_FACTS:
        return
    parts = marks_of_parts(body)
    if len(parts.marks) > MOST_FIELDS:
        yield Fault("", None, f"an object of at most {MOST_FIELDS:,} fields")
        return
    for i in np.flatnonzero(parts.marks > 2 * MOST_OF_ITEM + 1):
        name = parts.name(int(i))
        if name in _LISTS and parts.most_of_item[i] > 2 * MOST_OF_ITEM + 1:
            yield Fault(pointer(name), None, f"items of at most {MOST_OF_ITEM:,} values")
        elif name not in (*_LISTS, "results", None) and parts.marks[i] > 2 * MOST_FACTS + 1:
            yield Fault(pointer(str(name)), None, f"at most {MOST_FACTS:,} values")


def too_large_parts(frame: Raw) -> Iterator[Fault]:
    """Faults of the parts of a document without its results, and of single rounds, series and artifacts."""
    for name, part in frame.items():
        if name in _LISTS:
            continue
        if has_more_values(part, MOST_FACTS):
            yield Fault(pointer(name), shown(part), f"at most {MOST_FACTS:,} values")
        elif (name,) not in LONGEST and _characters(part) > MOST_CHARACTERS:
            yield Fault(pointer(name), shown(part), f"at most {MOST_CHARACTERS:,} characters together")
    for path, most in LONGEST.items():
        text: object = frame
        for name in path:
            text = text.get(name) if isinstance(text, dict) else None
        if text and (path[0] in _LISTS or not has_more_values(text, MOST_FACTS)) and _characters(text) > most:
            yield Fault(pointer(*path), shown(text), f"at most {most:,} characters together")
    for name in _LISTS:
        items = frame.get(name)
        if isinstance(items, list):
            yield from _too_large_items(items, partial(pointer, name))


def too_large_entries(sent: SentResults) -> Iterator[Fault]:
    """Faults of the objects that describe single results, and of all params together."""
    for name in _OF_RESULTS:
        yield from _too_large_items(sent.columns[name], partial(sent.pointer, name))
    if sum(map(len, set(map(repr, sent.columns["params"])))) > MOST_PARAMS:  # about as long as JSON
        yield Fault("/results", None, f"different params of at most {MOST_PARAMS:,} characters together")


def too_large_campaign_text(body: bytes) -> Iterator[Fault]:
    """The fault of a campaign that surely has more values, found before it is built."""
    if marks_outside_strings(body) > 2 * MOST_OF_CAMPAIGN + 1:
        yield Fault("", None, f"at most {MOST_OF_CAMPAIGN:,} values")


def too_large_campaign(raw: Raw) -> Iterator[Fault]:
    """The fault of a whole campaign."""
    if has_more_values(raw, MOST_OF_CAMPAIGN):
        yield Fault("", shown(raw), f"at most {MOST_OF_CAMPAIGN:,} values")


def _too_large_items(items: Iterable[object], locate: Callable[[int], str]) -> Iterator[Fault]:
    large = ((i, item) for i, item in enumerate(items) if item and has_more_values(item, MOST_OF_ITEM))
    for i, item in islice(large, MOST_LISTED + 1):
        yield Fault(locate(i), shown(item), f"at most {MOST_OF_ITEM:,} values")


def _characters(value: object) -> int:
    """The characters of all texts and names in a value, at any depth."""
    found, unread = 0, [value]
    while unread:
        part = unread.pop()
        if isinstance(part, dict):
            unread += [*part, *part.values()]
        elif isinstance(part, list):
            unread += part
        else:
            found += len(part) if isinstance(part, str) else 0
    return found


def has_more_values(value: object, most: int) -> bool:
    """Whether a value contains more values than `most`, at any depth; found in that many steps."""
    unread = [value]
    while unread:
        part = unread.pop()
        inside = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
        most -= len(inside)
        if most < 0:
            return True
        unread.extend(inner for inner in inside if isinstance(inner, dict | list))
    return False
