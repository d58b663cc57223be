"""Parses the bytes of a document as JSON, with limits on size and depth, and finds repeated names."""

from __future__ import annotations

import json
import re
from collections import Counter

import orjson
from pydantic_core import from_json

from .faults import Fault, FaultyDocument, shown
from .marks import MOST_VALUES, count, most_values

Raw = dict[str, object]

MOST_FIELDS = 1_000  # of a document: its schema has two dozen, and each unknown one is a fault
# Escapes for NUL, for surrogates and for a colon.
_ODD = re.compile(rb"\\u(?:0000|003[aA]|[dD][89a-fA-F])")


class Repeated(dict[str, object]):
    """An object with the names that are repeated in it; it keeps the last value of each.

    A document is `Repeated`, perhaps without names of its own, if any of its objects is.
    """

    names: frozenset[str] = frozenset()


def parse(body: bytes) -> Raw:
    """The document as plain data, also with NaN and infinities, which a later check reports with their place.

    Raises FaultyDocument for a body that is not JSON, not an object, or too large.
    """
    if most_values(body) > MOST_VALUES:
        raise FaultyDocument([Fault("", None, f"a document of at most {MOST_VALUES:,} values")])
    raw = _parse_quickly(body)
    if raw is None:
        raw = _parse_carefully(body)
    if not isinstance(raw, dict):
        raise FaultyDocument([Fault("", shown(raw), "an object, the result document")])
    if len(raw) > MOST_FIELDS:
        raise FaultyDocument([Fault("", shown(raw), f"an object of at most {MOST_FIELDS:,} fields")])
    return raw


def _parse_quickly(body: bytes) -> object:
    """The data if the text shows that all names are unique; None for all other texts. A fifth of the time."""
    if _ODD.search(body):
        return None
    try:
        raw = from_json(body, allow_inf_nan=True)
        # Parsing drops repeated names, and a colon with each. No colon is escaped, so the counts are comparable.
        return raw if count(canonical_json(raw), b":") == count(body, b":") else None
    except (ValueError, TypeError):
        return None


def _parse_carefully(body: bytes) -> object:
    """The data with repeated names in `Repeated`. Raises FaultyDocument for a body that is not JSON."""
    objects = _ObjectHook()
    try:
        raw = json.loads(body.decode(), object_pairs_hook=objects)
    except RecursionError:
        raise FaultyDocument([Fault("", None, "JSON that is nested less deeply")]) from None
    except ValueError as error:  # not UTF-8, not JSON, or a number of more than 4,300 digits
        raise FaultyDocument([Fault("", None, f"JSON in UTF-8: {error}")]) from None
    return Repeated(raw) if objects.repeated and type(raw) is dict else raw


def canonical_json(raw: Raw) -> bytes:
    """The document as JSON with sorted keys and no white space.

    Raises TypeError for what a document may not have: lone surrogates, and whole numbers of more than 64 bits.
    """
    return orjson.dumps(raw, option=orjson.OPT_SORT_KEYS)


class _ObjectHook:
    """Makes the objects of a document; `repeated` says whether a name is repeated in any of them."""

    repeated = False

    def __call__(self, pairs: list[tuple[str, object]]) -> Raw:
        members = dict(pairs)
        if len(members) == len(pairs):
            return members
        self.repeated = True
        repeated = Repeated(members)
        repeated.names = frozenset(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        return repeated
