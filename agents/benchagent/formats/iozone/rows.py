"""Cuts a row of iozone's table into its numbers.

The numbers are right-aligned in fields of fixed width; fields touch if a number fills its field. So a row is cut by
width. A number wider than its field pushes the rest to the right, and the row is read only if there is exactly one
way to cut it.
"""

from __future__ import annotations

import re

# A number may be this much wider than its field: 99,999 TiB/s would still be read.
MAX_OVERFLOW = 4
_FIELD = re.compile(r" *[0-9]+")


def cut(text: str, widths: tuple[int, ...]) -> tuple[str, ...] | None:
    """Cut the text after the record size into cells; None if no cut, or more than one, is possible.

    Below 10⁹ KiB/s every number fits into its field, so this cut is tried first. A padded number that the end of the
    text cuts short is left out.
    """
    cells: list[str] = []
    position = 0
    for width in widths:
        chunk = text[position : position + width]
        position += width
        cell = chunk.strip(" ")
        cut_short = len(chunk) < width and chunk.startswith(" ")
        if cell and not (_FIELD.fullmatch(chunk) and (len(chunk) == width or cut_short)):
            break
        cells.append("" if cut_short else cell)
    else:
        if not text[position:].strip(" "):
            return tuple(cells)
    ways = _cut_overflowing(text.rstrip(" "), widths)
    return ways[0] if len(ways) == 1 else None


def _cut_overflowing(text: str, widths: tuple[int, ...]) -> list[tuple[str, ...]]:
    """The first two ways to cut a row with numbers wider than their fields. The work is bounded: columns × overflow."""
    if len(text) > sum(widths) + MAX_OVERFLOW * len(widths):
        return []
    ways_from: dict[tuple[int, int], list[tuple[str, ...]]] = {}

    def ways(column: int, position: int) -> list[tuple[str, ...]]:
        if column == len(widths):
            return [()] if position >= len(text) else []
        if (column, position) not in ways_from:
            cuts: list[tuple[str, ...]] = []
            for cell, after in _fields(text, position, widths[column]):
                cuts += [(cell, *rest) for rest in ways(column + 1, after)]
            ways_from[column, position] = cuts[:2]
        return ways_from[column, position]

    return ways(0, 0)


def _fields(text: str, position: int, width: int) -> list[tuple[str, int]]:
    """The possible contents of the field at a position: (cell, start of the next field)."""
    chunk = text[position : position + width]
    if not chunk.strip(" "):
        return [("", position + width)]
    if len(chunk) < width or not _FIELD.fullmatch(chunk):
        return []
    contents = [(chunk.strip(" "), position + width)]
    if not chunk.startswith(" "):
        for end in range(position + width + 1, position + width + 1 + MAX_OVERFLOW):
            if end > len(text) or not text[end - 1].isdigit():
                break
            contents.append((text[position:end], end))
    return contents


class RowShape:
    """Rows that have numbers in the same columns, each in its own field; one pattern reads a whole row."""

    def __init__(self, kb_end: int, reclen: int, widths: tuple[int, ...], cells: tuple[str, ...]) -> None:
        last = max((column for column, cell in enumerate(cells) if cell), default=-1)
        fields = [(width, bool(cell)) for width, cell in zip(widths, cells[: last + 1])]
        self._apart = _pattern(kb_end, reclen, fields, " [ 0-9]{%d}[0-9]")
        self._touching = _pattern(kb_end, reclen, fields, "([ 0-9]{%d}[0-9])")
        self._words = 2 + sum(filled for _, filled in fields)
        self.columns = sum(1 << column for column, cell in enumerate(cells) if cell)
        self.spaced = True  # whether blanks separate the numbers of the row that was read last

    def read(self, line: str) -> list[str] | None:
        """kB, reclen and the numbers; None if the row has another shape."""
        words = line.split()
        # With a blank before every field and as many words as fields, each field holds one word.
        if len(words) == self._words and self._apart.fullmatch(line):
            self.spaced = True
            return words
        self.spaced = False
        return self._read_touching(line)

    def _read_touching(self, line: str) -> list[str] | None:
        match = self._touching.fullmatch(line)
        numbers = [number.strip(" ") for number in match.groups()] if match else []
        return numbers if numbers and not any(" " in number for number in numbers) else None


def _pattern(kb_end: int, reclen: int, fields: list[tuple[int, bool]], number: str) -> re.Pattern[str]:
    before = number.count(" ") - 1  # characters besides the repeated ones
    head = "".join(number % (width - 1 - before) for width in (kb_end, reclen))
    return re.compile(
        head + "".join(number % (w - 1 - before) if filled else f" {{{w}}}" for w, filled in fields) + " *"
    )
