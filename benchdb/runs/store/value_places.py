"""The places of values in the raw output, packed: a few characters a result instead of fifty a value.

Nearly all values of a run are in the same few artifacts, one for each round, and those of a result in the same line of
each. So a `Parse` has `sources`, lists of an artifact's name for each round, and a `Result` has `lines`: the number of
its list, a colon and the line, as `0:25`; or, if the lines of the rounds differ, one line for each round, empty if it
has none, as `0:25,26,,28`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

ValuePlace = dict[str, Any] | None  # {"artifact": name, "line": number}, None if a round has none
ArtifactNames = list[str | None]


class Places(NamedTuple):
    """The places of a result's values as two columns, one entry for each round; None if a round has no place.

    A run has a place for each value, and every pass over all of them takes noticeable time: the first creates this.
    """

    names: tuple[str | None, ...]
    lines: Sequence[int | None]

    @classmethod
    def of(cls, source: Sequence[ValuePlace]) -> Self:
        """The columns of a list of places."""
        pairs = [(place["artifact"], place["line"]) if place else (None, None) for place in source]
        return cls(tuple([name for name, _ in pairs]), [line for _, line in pairs])

    def as_sent(self) -> dict[str, Any]:
        """The form that documents have."""
        return {"artifacts": list(self.names), "lines": list(self.lines)}


class Packer:
    """Packs the places of one parse; `sources` are the lists of artifact names so far."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str | None, ...], int] = {}

    @property
    def sources(self) -> list[ArtifactNames]:
        return [list(names) for names in self._numbers]

    def pack(self, source: Places | None) -> str | None:
        """The `lines` of a result with this source; None without one."""
        if source is None or not source.lines:
            return None
        number = self._numbers.setdefault(source.names, len(self._numbers))
        lines = source.lines if None not in source.lines else [line for line in source.lines if line is not None]
        if not lines or lines.count(lines[0]) == len(lines):
            return f"{number}:{lines[0] if lines else ''}"
        return f"{number}:{','.join('' if line is None else str(line) for line in source.lines)}"


def unpack(lines: str, sources: Sequence[ArtifactNames]) -> list[ValuePlace]:
    """The places of a result from its `lines` and the `sources` of its parse."""
    number, _, text = lines.partition(":")
    names = sources[int(number)]
    line_of_round = text.split(",") if "," in text else [text] * len(names)
    places = zip(names, line_of_round, strict=True)
    return [None if name is None else {"artifact": name, "line": int(line)} for name, line in places]
