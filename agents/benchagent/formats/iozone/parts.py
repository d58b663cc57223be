"""The outputs in a text: each has its own banner, or repeats the header of a table or the tests of the one before."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchagent.formats.model import Result


@dataclass
class TextPart:
    """One output: its first line, 0 if unknown, and the last line with a number, 0 if there is none yet."""

    first: int = 0
    last: int = 0
    command: str | None = None


class TextParts:
    """The parts of a text in their order. ``sections`` has the name of the section of each, if these are known."""

    def __init__(self, sections: Sequence[str] = ()) -> None:
        self._sections = sections
        self.all = [TextPart()]

    @property
    def current(self) -> TextPart:
        return self.all[-1]

    @property
    def section(self) -> str:
        """The name of the current part's section; empty if nothing distinguishes it from the others."""
        return self._sections[len(self.all) - 1] if self._sections else ""

    def begin(self, line: int) -> None:
        """Begin a part, unless the current one has no number yet: that one then begins here if it has no line."""
        if self.current.last:
            self.all.append(TextPart())
        self.place(line)

    def place(self, line: int) -> None:
        """Give the current part its first line if it has none."""
        self.current.first = self.current.first or line

    def together(self, results: Sequence[Result]) -> Iterator[set[int]]:
        """The parts that gave values of one result, for each result with several."""
        if len(self.all) == 1:
            return
        starts = [part.first for part in self.all]
        seen: set[tuple[int, ...]] = set()
        for result in results:
            if len(result.lines) > 1 and result.lines not in seen:
                seen.add(result.lines)
                yield {max(bisect_right(starts, line) - 1, 0) for line in result.lines}
