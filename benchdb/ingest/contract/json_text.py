"""Bytes to plain Python data: JSON with its size, depth and repeated names under control, before anything else."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import numpy as np
import orjson
from pydantic_core import from_json

from .faults import Fault, FaultyDocument, shown

Raw = dict[str, Any]

# What a body may cost in memory hangs on how many values it holds, not on how long it is: 128 MiB of `[],` are 3 GB.
MOST_VALUES = 2_000_000
_MARKS = (b",", b"[", b"{")
# Escapes that stand for NUL, for half of a character, and for a colon.
_ODD = re.compile(rb"\\u(?:0000|003[aA]|[dD][89a-fA-F])")


class Repeated(dict[str, Any]):
    """An object in which names stand more than once; `names` are those. The last value of each is kept."""

    names: frozenset[str]


def parse(body: bytes) -> Raw:
    """The document as JSON has it; NaN and infinities, which JSON has not, are left to be reported with their place.

    Raises FaultyDocument for what is not JSON, not an object, or larger than a document may be.
    """
    if _values(body) > MOST_VALUES:
        raise FaultyDocument([Fault("", None, f"a document of at most {MOST_VALUES:,} values")])
    try:
        raw = json.loads(body.decode(), object_pairs_hook=_object)
    except RecursionError:
        raise FaultyDocument([Fault("", None, "JSON that is nested less deeply")]) from None
    except ValueError as error:  # not UTF-8, not JSON, or a number of more than 4,300 digits
        raise FaultyDocument([Fault("", None, f"JSON in UTF-8: {error}")]) from None
    if not isinstance(raw, dict):
        raise FaultyDocument([Fault("", shown(raw), "an object, the result document")])
    return raw


def parse_plain(body: bytes) -> tuple[Raw, bytes] | None:
    """The document and its canonical JSON, where the text itself tells that no name stands twice in an object and that
    all texts can be stored. None where it does not, whatever the reason.
    """
    if _ODD.search(body) or _values(body) > MOST_VALUES:
        return None
    try:
        raw = from_json(body, allow_inf_nan=False)
        canonical = orjson.dumps(raw, option=orjson.OPT_SORT_KEYS)
    except (ValueError, TypeError):  # TypeError: a whole number of more than 64 bits
        return None
    # A member that was lost to another of its name took a colon with it: none of them stands for an escape.
    return (raw, canonical) if isinstance(raw, dict) and _count(canonical, b":") == _count(body, b":") else None


def canonical_json(raw: Raw) -> bytes:
    """The document with sorted keys and no white space, as `parse_plain` returns it.

    Raises ValueError for numbers and characters that JSON in UTF-8 does not have.
    """
    try:
        return orjson.dumps(raw, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # a whole number of more than 64 bits, which orjson does not take
        text = json.dumps(raw, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        return text.encode()


def _object(pairs: list[tuple[str, Any]]) -> Raw:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    repeated = Repeated(members)
    repeated.names = frozenset(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
    return repeated


def _values(body: bytes) -> int:
    """How many values the JSON text holds, at most: the marks before them, where they stand outside of strings.

    Raw output is full of commas, so strings are left out where there are too many marks; each is one value then.
    """
    marks = _count(body, *_MARKS)
    if marks <= MOST_VALUES:
        return marks
    plain = body.replace(rb"\\", b"").replace(rb"\"", b"")
    strings = plain.count(b'"') // 2
    return strings if strings > MOST_VALUES else sum(_count(text, *_MARKS) for text in plain.split(b'"')[::2])


def _count(text: bytes, *marks: bytes) -> int:
    """How often these bytes are in it; `bytes.count`, made for rarer ones, takes five times as long."""
    found = np.frombuffer(text, np.uint8)
    return sum(int(np.count_nonzero(found == ord(mark))) for mark in marks)
