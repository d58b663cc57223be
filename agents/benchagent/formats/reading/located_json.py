"""Reads fio's JSON, each value with its line; JSON that is cut off is read up to the cut.

Python's own decoder gives no lines and reads all or nothing. fio also writes invalid JSON: `nan`, and the single
backslashes of Windows paths.
"""

from __future__ import annotations

import re
from typing import NamedTuple, Union

from benchagent.formats.model import FormatError


class Leaf(NamedTuple):
    """A text, number or word as printed."""

    text: str
    line: int


class Counts(NamedTuple):
    """The `bins` of a histogram, whole numbers by whole numbers, as printed: valid JSON, with its first value's line.

    A document may have millions of these numbers.
    """

    text: str
    line: int


Object = dict[str, "Node"]
Node = Union[Leaf, Counts, Object, list["Node"]]

_TOKEN = re.compile(r'([ \t\r\n]*)(?:([{}\[\],:])|"([^"\\\n]*(?:\\.[^"\\\n]*)*)"|([^\s{}\[\],:"]{1,400}))')
# A key and a text, number, word or the beginning of an object. Most of a document is such pairs: one search takes a
# quarter of the time of four.
_PAIR = re.compile(r'([ \t\r\n]*)"([^"\\\n]*)"[ \t]*:[ \t]*(?:(\{)|(?:"([^"\\\n]*)"|([^\s{}\[\],:"]{1,400}))(,)?)')
_COUNT = r'[ \t\r\n]*"[0-9]{1,18}"[ \t]*:[ \t]*(?:0|[1-9][0-9]{0,17})'
_COUNTS = re.compile(rf"(?:{_COUNT},){{1,1000}}")  # at most so many, because each takes memory during the search
_LAST_COUNT = re.compile(rf"{_COUNT}[ \t\r\n]*\}}")
_OF_COUNTS = "bins"  # the key of a histogram; other objects of whole numbers, such as percentiles, stay objects
_ESCAPE = re.compile(r'\\(["\\/])')
_DEEPEST = 20
_CLOSING = {"}": dict, "]": list}


class JsonDocument(NamedTuple):
    """A JSON document. The text continues at `end`; `whole` means that the JSON is not cut off."""

    root: Object
    end: int
    whole: bool


def read_object(text: str, start: int, line: int) -> JsonDocument:
    """The object that begins at `start`, which is in line `line`. Raises FormatError at text that cannot be JSON.

    If the text ends too early, the complete values are kept: an object that is cut off is left out, unless it
    holds the cut list or is the root.
    """
    reader = _JsonReader()
    position = start
    while True:
        if reader.wants == "key":
            position, line = reader.take_pairs(text, position, line)
        token = _TOKEN.match(text, position)
        if token is None:
            if text[position:].strip(" \t\r\n") and not _is_cut(text, position):
                raise FormatError("no JSON goes on here", *_place(text, position, line))
            return JsonDocument(reader.cut(), len(text), whole=False)
        blank, sign, string, word = token.groups()
        line += blank.count("\n")
        if string and "\\" in string:
            string = _ESCAPE.sub(r"\1", string)
        if not reader.take(sign, string, word, line):
            column = _column(text, position + len(blank))
            raise FormatError(f"{token[0].strip()[:40]!r} has no place in JSON here", line, column)
        position = token.end()
        if not reader.stack:
            return JsonDocument(reader.root, position, whole=True)


class _JsonReader:
    """`stack` are the containers that are open; `keys[i]` is the key that the next value of `stack[i]` belongs to."""

    def __init__(self) -> None:
        self.root: Object = {}
        self.stack: list[Object | list[Node]] = []
        self.keys: list[str | None] = []
        self.wants = "value"  # value, key, colon or end

    def take(self, sign: str | None, string: str | None, word: str | None, line: int) -> bool:
        """Whether the token is allowed here."""
        if self.wants == "key" and string is not None:
            self.keys[-1], self.wants = string, "colon"
        elif self.wants == "colon" and sign == ":":
            self.wants = "value"
        elif self.wants == "end" and sign == ",":
            self.wants = "key" if isinstance(self.stack[-1], dict) else "value"
        elif sign in _CLOSING and self.stack and isinstance(self.stack[-1], _CLOSING[sign]):
            return self._close()
        elif self.wants == "value" and sign in ("{", "["):
            return self._open({} if sign == "{" else [])
        elif self.wants == "value" and sign is None:
            self._keep(Leaf(string if string is not None else word or "", line))
            self.wants = "end"
        else:
            return False
        return True

    def take_pairs(self, text: str, position: int, line: int) -> tuple[int, int]:
        """Take the pairs that follow in an object where a key is wanted; return the position and line behind them."""
        container = self.stack[-1]
        assert isinstance(container, dict)  # a key is wanted
        while pair := _PAIR.match(text, position):
            blank, key, brace, string, word, comma = pair.groups()
            if brace and len(self.stack) == _DEEPEST:
                break
            line += blank.count("\n")
            position = pair.end()
            if not brace:
                container[key] = Leaf(word if string is None else string, line)
                if comma:
                    continue
            elif counts := _counts_at(text, position - 1, line) if key == _OF_COUNTS else None:
                container[key] = counts
                position += len(counts.text) - 1
                line += counts.text.count("\n")
            else:
                self.keys[-1] = key
                container = {}
                self._open(container)
                continue
            self.wants = "end"
            break
        return position, line

    def cut(self) -> Object:
        """The content of a text that was cut off: complete values, and the lists that were being filled."""
        while len(self.stack) > 1:
            open_one = self.stack.pop()
            self.keys.pop()
            if isinstance(open_one, list):
                self._keep(open_one)
        return self.root

    def _open(self, container: Object | list[Node]) -> bool:
        if isinstance(container, dict) and not self.stack:
            self.root = container
        self.stack.append(container)
        self.keys.append(None)
        self.wants = "key" if isinstance(container, dict) else "value"
        return len(self.stack) <= _DEEPEST

    def _close(self) -> bool:
        if self.wants == "colon" or (self.wants == "value" and isinstance(self.stack[-1], dict)):
            return False
        closed = self.stack.pop()
        self.keys.pop()
        if self.stack:
            self._keep(closed)
        self.wants = "end"
        return True

    def _keep(self, node: Node) -> None:
        container, key = self.stack[-1], self.keys[-1]
        if isinstance(container, list):
            container.append(node)
        elif key is not None:
            container[key] = node


def _counts_at(text: str, brace: int, line: int) -> Counts | None:
    """The object that begins at a brace in this line, if it is one of whole numbers by whole numbers."""
    end = brace + 1
    while pairs := _COUNTS.match(text, end):
        end = pairs.end()
    last = _LAST_COUNT.match(text, end)
    return Counts(text[brace : last.end()], line + text.count("\n", brace, text.index('"', brace))) if last else None


def _is_cut(text: str, position: int) -> bool:
    """Whether nothing but an unfinished string follows."""
    rest = text[position:].strip(" \t\r\n")
    return rest.startswith('"') and "\n" not in rest


def _place(text: str, position: int, line: int) -> tuple[int, int]:
    first = position + len(text[position:]) - len(text[position:].lstrip(" \t\r\n"))
    return line + text.count("\n", position, first), _column(text, first)


def _column(text: str, position: int) -> int:
    return position - text.rfind("\n", 0, position)
