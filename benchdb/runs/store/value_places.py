"""Where in the raw output the values of results stand, packed: a few characters a result instead of fifty a value.

Nearly all results of a run stand in the same few artifacts, one a round, and in the same line of each. So a `Parse` has
`sources`, lists of an artifact's name for each round, and a `Result` has `lines`: the number of its list, a colon and
the line, as `0:25`; where the lines of the rounds differ one for each, empty where there is none, as `0:25,26,,28`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

ValuePlace = dict[str, Any] | None  # {"artifact": name, "line": number}, None where a round has none
ArtifactNames = list[str | None]


class Places(NamedTuple):
    """The places of a result's values, one a round, as names of artifacts and lines; None where a round has none.

    A run has a place for each of its values, and each look at all of them is felt: this is made in the first.
    """

    names: tuple[str | None, ...]
    lines: Sequence[int | None]

    @classmethod
    def of(cls, source: Sequence[ValuePlace]) -> Self:
        """The same from places one by one."""
        each = [(place["artifact"], place["line"]) if place else (None, None) for place in source]
        return cls(tuple([name for name, _ in each]), [line for _, line in each])

    def as_sent(self) -> dict[str, Any]:
        """The same as documents have it."""
        return {"artifacts": list(self.names), "lines": list(self.lines)}


class Packer:
    """Packs the results of one parse; `sources` are the lists of names so far."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str | None, ...], int] = {}

    @property
    def sources(self) -> list[ArtifactNames]:
        return [list(names) for names in self._numbers]

    def pack(self, source: Places | None) -> str | None:
        """The `lines` of a result whose values stand there; None where nothing is known."""
        if source is None or not source.lines:
            return None
        number = self._numbers.setdefault(source.names, len(self._numbers))
        lines = source.lines if None not in source.lines else [line for line in source.lines if line is not None]
        if not lines or lines.count(lines[0]) == len(lines):
            return f"{number}:{lines[0] if lines else ''}"
        return f"{number}:{','.join('' if line is None else str(line) for line in source.lines)}"


def unpack(lines: str, sources: Sequence[ArtifactNames]) -> list[ValuePlace]:
    """What was packed."""
    number, _, text = lines.partition(":")
    names = sources[int(number)]
    each = text.split(",") if "," in text else [text] * len(names)
    places = zip(names, each, strict=True)
    return [None if name is None else {"artifact": name, "line": int(line)} for name, line in places]
