"""A property with a value for each run or result, which pivots and filters a comparison."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from benchdb.wording.sizes import parse_size, print_size, say_size

from .file_to_memory import print_step, read_step
from .named import Named
from .run import Run

DimensionValue = str | int | None
Kind = Literal["text", "number", "size", "ratio"]


@dataclass(frozen=True)
class Dimension:
    """A dimension of runs if it has `of`, which returns the value of a run; else an attribute of results.

    `say` prints a value for people, `absent` is the text for None; in `noun` a printed value is clear without the head
    of a column (`{} chunk`). `kind` is the form of values in the query string: text, number (4), size (64K) or ratio.
    """

    name: str
    label: str
    of: Callable[[Run], Any] | None = None
    kind: Kind = "text"
    say: Callable[[Any], str] | None = None
    absent: str = "unknown"
    noun: str = "{}"

    def print(self, value: DimensionValue) -> str:
        """The value for people."""
        if value is None:
            return self.absent
        if isinstance(value, Named):
            return value.name
        if self.say is not None:
            return self.say(value)
        return say_size(value) if self.kind == "size" and isinstance(value, int) else str(value)

    @property
    def word(self) -> str:
        """None in the query string: `unknown`, or `none` if a run can be without a value."""
        return "unknown" if self.absent == "unknown" else "none"

    def parameter(self, value: DimensionValue) -> str:
        """The value as the query string has it."""
        if value is None:
            return self.word
        if self.kind == "ratio" and isinstance(value, int):
            return print_step(value)
        return print_size(value) if self.kind == "size" and isinstance(value, int) else str(value)

    def value(self, text: str) -> DimensionValue:
        """The value of a text of a query string, None for `word`. Raises ValueError if the text is not a value."""
        if text == self.word:
            return None
        if self.kind == "size":
            return parse_size(text)
        if self.kind == "ratio":
            return read_step(text)
        if self.kind == "number" and not (text.isascii() and text.isdigit() and len(text) < 10):
            raise ValueError(f"{text!r} is neither a whole number nor {self.word}")
        return int(text) if self.kind == "number" else text

    def read(self, text: str) -> str:
        """A value of a query string in its one spelling (1024K is 1M). Raises ValueError if the text is not a value."""
        return self.parameter(self.value(text))
