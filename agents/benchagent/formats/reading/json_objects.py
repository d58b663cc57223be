"""Finds the JSON objects in a text, with other lines around them, and the numbers and texts in an object."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .located_json import JsonDocument, Leaf, Node, Object, read_object

_NUMBER = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,20})?(?:[eE][-+]?[0-9]{1,2})?")


class LocatedObject(NamedTuple):
    """A JSON object that begins at the character `start`, in line `line`."""

    start: int
    line: int
    document: JsonDocument

    @property
    def root(self) -> Object:
        return self.document.root


def objects_of(text: str, beginning: re.Pattern[str]) -> list[LocatedObject]:
    """Every object that begins as ``beginning`` does, which starts with its brace; none within another.

    Raises FormatError if JSON begins so and does not go on.
    """
    found: list[LocatedObject] = []
    position, line, counted = 0, 1, 0
    while match := beginning.search(text, position):
        line, counted = line + text.count("\n", counted, match.start()), match.start()
        document = read_object(text, match.start(), line)
        found.append(LocatedObject(match.start(), line, document))
        position = document.end
    return found


def lines_outside(text: str, objects: Sequence[LocatedObject], signs: str = "[],") -> Iterator[tuple[int, str]]:
    """(number, line) of each line with more than blanks and ``signs`` outside of the objects."""
    position, line = 0, 1
    for start, end in [*((found.start, found.document.end) for found in objects), (len(text), len(text))]:
        for number, outside in enumerate(text[position:start].split("\n"), start=line):
            if outside.strip(f"{signs} \t\r"):
                yield number, outside
        line += text.count("\n", position, end)
        position = end


def at(node: Node | None, *keys: str) -> Node | None:
    """The value under these keys, one in another; None if there is none."""
    for key in keys:
        node = node.get(key) if isinstance(node, dict) else None
    return node


def leaf_at(node: Node | None, *keys: str) -> Leaf | None:
    """The text or number under these keys; None if there is none."""
    found = at(node, *keys)
    return found if isinstance(found, Leaf) else None


def number_at(node: Node | None, *keys: str) -> Leaf | None:
    """The number under these keys; None for anything else, also for a negative number."""
    leaf = leaf_at(node, *keys)
    return leaf if leaf is not None and _NUMBER.fullmatch(leaf.text) else None


def text_at(node: Node | None, *keys: str) -> str:
    """The text under these keys; empty if there is none."""
    leaf = leaf_at(node, *keys)
    return leaf.text if leaf is not None else ""


def count_at(node: Node | None, *keys: str) -> int | None:
    """The whole number under these keys; None for anything else."""
    leaf = leaf_at(node, *keys)
    return int(leaf.text) if leaf is not None and re.fullmatch("[0-9]{1,18}", leaf.text) else None
