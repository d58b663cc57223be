"""The results in a `composite.xml`, each text with its line.

The suite writes one element in a line, without attributes. Tags are searched for instead of parsing XML: a document
that is cut off is read up to the cut, and no entity can be declared.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]{0,40})[ \t]{0,4}(/?)>([^<]{0,100000})")
_MOST_ENTRIES = 10_000  # of one result


@dataclass
class Element:
    """The texts below an element by the names of their tags, each with its line; `entries` are those of a result."""

    line: int
    texts: dict[str, tuple[str, int]] = field(default_factory=dict)
    entries: list[Element] = field(default_factory=list)

    def text(self, name: str) -> str:
        return self.texts.get(name, ("", 0))[0]


def results_of(text: str) -> Iterator[Element]:
    """Every result of a document, in order; one that is cut off too."""
    result: Element | None = None
    entry: Element | None = None
    line, counted = 1, 0
    for match in _TAG.finditer(text):
        line, counted = line + text.count("\n", counted, match.start()), match.start()
        closing, name, empty, words = match.groups()
        if name == "Result":
            if result is not None:
                yield result
            result, entry = (None, None) if closing else (Element(line), None)
        elif result is None:
            continue
        elif name == "Entry":
            entry = None if closing else Element(line)
            if entry is not None and len(result.entries) < _MOST_ENTRIES:
                result.entries.append(entry)
        elif not closing and not empty:
            (entry or result).texts.setdefault(name, (html.unescape(words).strip(), line))
    if result is not None:
        yield result
