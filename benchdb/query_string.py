"""Reads parameters of a query string and gathers their faults as sentences.

Used by `compare` and `runs`, whose readers add their own parameters and the wording of faults.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TypeVar

from django.http import QueryDict

Read = TypeVar("Read")


@dataclass
class QueryReader:
    """Each method reads a parameter. An empty parameter is absent; an impossible one is absent and adds a fault."""

    query: QueryDict
    faults: list[str] = field(default_factory=list)

    def fault(self, name: str, text: str, expected: str) -> None:
        """Add the sentence that parameter `name` cannot be `text`; `expected` describes its possible values."""
        raise NotImplementedError

    def texts(self, name: str) -> tuple[str, ...]:
        """The values of a parameter without empty ones, each once."""
        return tuple(dict.fromkeys(filter(None, self.query.getlist(name))))

    def text(self, name: str) -> str:
        """The last value of a parameter, "" if it is absent."""
        return str(self.query.get(name) or "")

    def parsed(self, name: str, parse: Callable[[str], Read], expected: str) -> Read | None:
        """The value that `parse` returns, None if the parameter is absent or `parse` raises ValueError."""
        text = self.text(name)
        try:
            return parse(text) if text else None
        except ValueError:
            self.fault(name, text, expected)
            return None

    def all_parsed(self, name: str, parse: Callable[[str], Read], expected: str) -> tuple[Read, ...]:
        """The different values that `parse` returns for the parameter; those that raise ValueError are faults."""
        values: dict[Read, None] = {}
        for text in self.texts(name):
            try:
                values[parse(text)] = None
            except ValueError:
                self.fault(name, text, expected)
        return tuple(values)

    def unknown(self, known: Collection[str]) -> list[str]:
        """The names of parameters that are not known, sorted."""
        return sorted(set(self.query) - set(known))
