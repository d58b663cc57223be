"""The page inside a run: one round, chosen by a link."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from benchagent.formats.vocabulary import test_label
from benchdb.facts.stored import StoredRound, StoredSmartFact
from benchdb.runs.costs import before_charts
from benchdb.runs.models import Run
from benchdb.runs.page.run_title import title_of
from benchdb.runs.queries import measured
from benchdb.runs.store.round_series import ReadSeries, rounds_with_series, series_of_round
from benchdb.wording.numbers import say_duration, say_number
from benchdb.wording.sizes import say_size

from .chart import TimeAxis, area, chart, stripe, time_axis
from .panels import panels_of
from .settled import sentences
from .span import Span, chosen_span, in_a_field

MOST_LINKS = 100  # to rounds


@dataclass(frozen=True, slots=True)
class ShownPhase:
    """A test on the time axis: `stripe` is its path in the plots, `href` chooses its span."""

    phase: Phase
    stripe: str
    href: str


def inside_page(
    run: Run, chosen: int | None, start: float | None = None, end: float | None = None
) -> dict[str, Any] | None:
    """The page of round `chosen`, counted from 1, or of the median round; None if there is no such round.

    Means are those between `start` and `end`, in seconds; by default of the whole round. Raises MustWait.
    """
    rounds = rounds_with_series(run.pk)
    if chosen is not None and chosen - 1 not in rounds:
        return None
    number = chosen - 1 if chosen is not None else _median(run, rounds) if rounds else 0
    series = series_of_round(run.pk, number) if rounds else []
    axis = time_axis(series) if series else None
    span = chosen_span(start, end, axis.end) if axis else None
    panels, whole, phases = panels_of(series), Span(0, axis.end if axis else 0), phases_of(series)
    before_charts(len(series), len(phases) * len(panels))
    # The context of runs/inside.html. `quiet` are the headings of panels in which nothing happened, `settled` are
    # sentences about the tool's own series, `smart` facts of the disks. `step` and `length` of the round are in words;
    # `median` if the round is the one that is shown without a choice.
    return {
        "section": "runs",
        "run": run,
        "title": title_of(run),
        "number": number + 1,
        "median": chosen is None,
        "rounds": [
            {"number": each + 1, "href": _address(run, each + 1, span), "current": each == number}
            for each in rounds[:MOST_LINKS]
        ],
        "more": max(0, len(rounds) - MOST_LINKS),
        "axis": axis,
        "phases": [_shown(phase, axis, run, number + 1) for phase in phases if axis],
        "span": _form(span, axis, _address(run, number + 1)) if axis else None,
        "charts": [
            chart(panel, axis, span or whole, colours_of(series)) for panel in panels if axis and not panel.is_empty
        ],
        "quiet": [panel.kind.heading for panel in panels if panel.is_empty],
        "settled": sentences(series),
        "smart": smart_rows(run.rounds, number),
        "length": say_duration(axis.end) if axis else "",
        "step": say_duration(min(each.step for each in series)) if series else "",
        "csv": f"{reverse('run-inside-data', args=[run.id])}?{urlencode({'round': number + 1})}",
        "svg": f"{reverse('run-inside-picture', args=[run.id])}?{urlencode(_query(number + 1, span))}",
        "json": f"{reverse('api-1:get_series', args=[str(run.id)])}?{urlencode({'round': number})}",
    }


def _address(run: Run, number: int, span: Span | None = None) -> str:
    return f"{reverse('run-inside', args=[run.id])}?{urlencode(_query(number, span))}"


def _query(number: int, span: Span | None) -> dict[str, str]:
    return {"round": str(number)} | (span.query if span else {})


def _shown(phase: Phase, axis: TimeAxis, run: Run, number: int) -> ShownPhase:
    return ShownPhase(phase, stripe(phase.span, axis), _address(run, number, phase.span))


def _form(span: Span | None, axis: TimeAxis, whole: str) -> dict[str, object]:
    most = in_a_field(axis.end)
    if span is None:
        return {"start": "0", "end": most, "most": most, "words": "", "area": "", "whole": whole}
    words = f"{say_duration(span.end - span.start)} from {say_duration(span.start) if span.start else '0 s'}"
    # The fields of the form of the span, its `area` in the plots, the address without it, and it in `words`. Without a
    # chosen span, `words` and `area` are empty.
    return {
        "start": in_a_field(span.start),
        "end": in_a_field(span.end),
        "most": most,
        "words": words,
        "area": area(span, axis),
        "whole": whole,
    }


def _median(run: Run, rounds: Sequence[int]) -> int:
    """The round whose elapsed time is the median of those with series; the middle one if times are unknown."""
    elapsed = _elapsed(run)
    known = sorted((elapsed[number], number) for number in rounds if number in elapsed)
    return known[len(known) // 2][1] if known else rounds[len(rounds) // 2]


def _elapsed(run: Run) -> Mapping[int, float]:
    """The elapsed time of the tool by round, in seconds."""
    for result in measured([run.pk], {"test": ["run"], "metric": ["elapsed"]}):
        return {number: value for number, value in enumerate(result.values or ()) if value is not None}
    return {}


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
        start, end = self.span.start, self.span.end
        if round(end, 1) < 60:
            return f"{start:.3g} to {end:.3g} s"
        return f"{say_duration(start) if start else '0 s'} to {say_duration(end)}"


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


def smart_rows(rounds: Sequence[StoredRound], number: int) -> list[dict[str, object]]:
    """The facts of round `number`, counted from 0; empty if its agent read none."""
    evidence = rounds[number].get("evidence") if number < len(rounds) else None
    return [_row(fact) for fact in (evidence or {}).get("smart") or []]


def _row(fact: StoredSmartFact) -> dict[str, object]:
    name, before, after = fact["name"], fact["before"], fact.get("after")
    say = _SAY.get(fact["unit"], _count)
    label = _LABELS.get(name) or name.replace("_", " ")
    # A fact of a disk in words: before the round, and its change. `source` is its place in smartctl's output.
    return {
        "disk": fact["disk"],
        "label": label,
        "before": say(before),
        "change": _change(after - before, say) if after is not None else "–",
        "source": fact["source"],
    }


def _change(difference: float, say: Callable[[float], str]) -> str:
    if difference == 0:
        return "none"
    return f"{'+' if difference > 0 else '−'}{say(abs(difference))}"


def _count(value: float) -> str:
    return say_number(value, 0)


_SAY: Mapping[str, Callable[[float], str]] = {
    "B": say_size,
    "°C": lambda value: f"{_count(value)} °C",
    "ratio": lambda value: f"{_count(100 * value)} %",
}
_LABELS = {"percentage_used": "endurance used", "host_write_bytes": "written by hosts"}
