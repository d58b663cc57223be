"""The tests of a round on its time axis, from the series that the tool itself sends. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchagent.formats.vocabulary import test_label
from benchdb.runs.store.round_series import ReadSeries
from benchdb.wording.numbers import say_duration

from .span import Span

COLOURS = 7  # the series that colours tell apart (styles/_tokens.scss); further tests have them again


@dataclass(frozen=True, slots=True)
class Phase:
    """The time in which a test ran; `series` is the number of its colour."""

    label: str
    series: int
    span: Span

    @property
    def times(self) -> str:
        """`0.3 to 41 s`, or with minutes."""
        start, end = (say_duration(time) if time else "0 s" for time in (self.span.start, self.span.end))
        return f"{start.removesuffix(' s') if start.count(' ') == end.count(' ') == 1 else start} to {end}"


def phases_of(series: Sequence[ReadSeries]) -> list[Phase]:
    """The phases in the order of their starts; one for all series that a test sends of the same time."""
    own = sorted((each.start, each.test, each.end) for each in series if each.test is not None)
    ends: dict[tuple[float, str], float] = {}
    for start, test, end in own:
        ends[start, test] = max(end, ends.get((start, test), end))
    numbers = colours_of(series)
    return [Phase(test_label(test), numbers[test_label(test)], Span(start, end)) for (start, test), end in ends.items()]


def colours_of(series: Sequence[ReadSeries]) -> Mapping[str, int]:
    """The number of the colour of each test, by its label."""
    tests = dict.fromkeys(test for _, test in sorted((each.start, each.test) for each in series if each.test))
    return {test_label(test): number % COLOURS + 1 for number, test in enumerate(tests)}
