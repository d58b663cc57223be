"""Where in the raw output the values of results stand, packed: a few characters a result instead of fifty a value.

Nearly all results of a run stand in the same few artifacts, one a round, and in the same line of each. So a `Parse` has
`sources`, lists of an artifact's name for each round, and a `Result` has `lines`: the number of its list, a colon and
the line, as `0:25`; where the lines of the rounds differ one for each, empty where there is none, as `0:25,26,,28`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Place = dict[str, Any] | None  # {"artifact": name, "line": number}, None where a round has none
Names = list[str | None]


class Packer:
    """Packs the results of one parse; `sources` are the lists of names so far."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str | None, ...], int] = {}

    @property
    def sources(self) -> list[Names]:
        return [list(names) for names in self._numbers]

    def pack(self, source: Sequence[Place] | None) -> str | None:
        """The `lines` of a result whose values stand there; None where nothing is known."""
        if not source:
            return None
        names = tuple([place["artifact"] if place else None for place in source])
        lines = [place["line"] for place in source if place]
        number = self._numbers.setdefault(names, len(self._numbers))
        if lines.count(lines[0] if lines else 0) == len(lines):
            return f"{number}:{lines[0] if lines else ''}"
        return f"{number}:{','.join(str(place['line']) if place else '' for place in source)}"


def unpack(lines: str, sources: Sequence[Names]) -> list[Place]:
    """What was packed."""
    number, _, text = lines.partition(":")
    names = sources[int(number)]
    each = text.split(",") if "," in text else [text] * len(names)
    places = zip(names, each, strict=True)
    return [None if name is None else {"artifact": name, "line": int(line)} for name, line in places]
