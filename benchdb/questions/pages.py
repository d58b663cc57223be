"""What the two pages show of an answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import log
from urllib.parse import urlencode

import numpy as np
from django.urls import reverse

from benchdb.components.neighbours import MARGIN, WIDTH, plot_of
from benchdb.stats.questions.best_configurations import Standing
from benchdb.stats.questions.variance import FEWEST_DEGREES_OF_MACHINES, FEWEST_TO_COMPARE_MACHINES
from benchdb.wording.changes import change_and_interval
from benchdb.wording.numbers import plural

from .best import BestAnswer, ComparedConfiguration
from .explained import EffectOfFacts, ExplainedFact, FactsAnswer, ShareOfVariance
from .facts import joined

MOST_ROWS = 100
GROUPS = {
    Standing.MAYBE_BEST: "Maybe the best",
    Standing.WORSE: "Worse than another one",
    Standing.UNTESTED: "Not comparable",
}
NOTES = {
    Standing.MAYBE_BEST: "No other configuration was significantly better where both were measured. "
    "The first line need not be the best one: its runs may only have been lucky.",
    Standing.WORSE: "Another configuration is significantly better, allowing for the number of configurations.",
    Standing.UNTESTED: "Measured beside others on a single machine, or in too few runs.",
}


@dataclass(frozen=True, slots=True)
class ShownShare:
    """`61 %` with its interval; "" if it is not known."""

    share: str
    interval: str
    plot: dict[str, object] | None


def best_page(answer: BestAnswer, metric: str) -> dict[str, object]:
    """The lines by group; all drawings have one axis."""
    rows = answer.configurations
    half = half_axis(end for row in rows for end in (row.ratio, row.low, row.high))
    return {
        "summary": _best_in_words(answer),
        "scope": _scope(answer),
        "common": answer.common,
        "groups": [
            # The configurations of one standing; `further` are not shown.
            {
                "title": GROUPS[standing],
                "slug": standing.value.replace("_", "-"),
                "note": NOTES[standing],
                "rows": [_configuration(row, metric, half) for row in own[:MOST_ROWS]],
                "further": len(own[MOST_ROWS:]),
                "folded": standing is Standing.UNTESTED and len(own) < len(rows),
            }
            for standing in Standing
            if (own := [row for row in rows if row.standing is standing])
        ],
        "notes": _notes(answer),
    }


def _best_in_words(answer: BestAnswer) -> str:
    tested = [row for row in answer.configurations if row.standing is not Standing.UNTESTED]
    maybe = [row for row in tested if row.standing is Standing.MAYBE_BEST]
    if not answer.configurations:
        return "No two configurations were measured under equal conditions, so there is no fair comparison yet."
    if not tested:
        return "Configurations were measured beside each other, but too rarely to compare them."
    if len(maybe) == 1:
        name = ", ".join(part.value for part in maybe[0].parts)
        return f"{name} is better than each of the others that could be compared with it."
    return f"{len(maybe)} of {plural(len(tested), 'configuration')} may be the best; the runs do not tell them apart."


def _scope(answer: BestAnswer) -> str:
    compared = f"{plural(answer.compared, 'run')} on {plural(answer.machines, 'machine')}"
    if not answer.configurations:
        return ""
    if answer.similar:
        return f"Compared within machines, {compared}; the intervals are about similar machines."
    return f"Compared within machines, {compared}. The answer is about these machines only; others need three."


def _notes(answer: BestAnswer) -> list[str]:
    notes = []
    if answer.alone:
        notes.append(f"{plural(answer.alone, 'configuration')} never measured beside another one: not shown.")
    if answer.left_out:
        notes.append(f"{plural(answer.left_out, 'rare configuration')} left out.")
    return notes


def _configuration(row: ComparedConfiguration, metric: str, half: float) -> dict[str, object]:
    change, interval = change_and_interval(metric, row.ratio, row.low, row.high)
    runs = [("run", str(run)) for run in row.pair]
    first, *rest = row.parts
    # A line of a group: the first part and the others in words. `change` is "" without a machine that measured the
    # reference too.
    return {
        "name": first.value,
        "details": " · ".join(f"{part.label} {part.value}" for part in rest) or first.label,
        "reference": row.reference,
        "change": "" if row.reference else change,
        "interval": interval,
        "plot": None if row.reference or row.ratio is None else ratio_plot(row.ratio, row.low, row.high, half),
        "machines": str(row.machines) if row.reference else f"{row.shared} of {row.machines}",
        "runs": row.runs,
        "href": f"{reverse('compare')}?{urlencode(runs)}" if runs else reverse("run", args=[row.newest]),
        "link": "table" if runs else "newest run",
    }


def facts_page(answer: FactsAnswer, metric: str) -> dict[str, object]:
    """The lines of both tables."""
    half = half_axis(end for each in answer.effects for end in (each.ratio, each.low, each.high))
    return {
        "summary": _facts_in_words(answer),
        "scope": _resampled(answer),
        "left_out": _too_few_machines(answer),
        "rows": [_fact(fact) for fact in answer.facts],
        "effects": [_effect(each, metric, half) for each in answer.effects],
        "noise": "" if answer.noise is None else f"{100 * answer.noise:.2g} %",
    }


def _facts_in_words(answer: FactsAnswer) -> str:
    if not answer.facts:
        return "There is nothing to explain: fewer than eight runs, equal figures, or no fact that differs."
    together = answer.together
    if together is None or together.share is None:
        return "The facts have too many values for the number of runs to say what all of them explain together."
    share = _shown(together)
    interval = f", 95 % interval {share.interval}" if share.interval else ""
    return f"All recorded facts together explain {share.share} of the variance{interval}."


def _resampled(answer: FactsAnswer) -> str:
    if not answer.facts:
        return ""
    if answer.of_machines:
        return "The intervals allow for other machines like these."
    return "The intervals allow for other runs on these machines, not for other machines: six are needed for that."


def _too_few_machines(answer: FactsAnswer) -> str:
    if not answer.few_machines:
        return ""
    need = (
        f"to say what such a fact explains takes {FEWEST_TO_COMPARE_MACHINES} machines, "
        f"and {FEWEST_DEGREES_OF_MACHINES} more than it has values"
    )
    return f"Left out, because they only tell machines apart: {joined(answer.few_machines)}; {need}."


def _fact(fact: ExplainedFact) -> dict[str, object]:
    why = ["always changed together, cannot be separated"] if len(fact.labels) > 1 else []
    if fact.follows_from:
        why.append(f"follows from {' and from '.join(fact.follows_from[:3])}")
    # A line of the table of facts; `why` says what the facts have to do with each other or with others.
    return {
        "label": joined(fact.labels),
        "why": why,
        "values": fact.values,
        "alone": _shown(fact.alone),
        "beyond": _shown(fact.beyond),
    }


def _shown(share: ShareOfVariance) -> ShownShare:
    if share.share is None:
        return ShownShare("", "", None)
    known = share.low is not None and share.high is not None
    interval = f"{_percent(share.low)} to {_percent(share.high)} %" if known else ""
    return ShownShare(f"{_percent(share.share)} %", interval, share_plot(share.share, share.low, share.high))


def _percent(share: float | None) -> str:
    percent = 100 * (share or 0.0)
    return f"{percent:.1f}" if 0 < percent < 9.95 else f"{percent:.0f}"


def _effect(each: EffectOfFacts, metric: str, half: float) -> dict[str, object]:
    change, interval = change_and_interval(metric, each.ratio, each.low, each.high)
    pairs = zip(each.second, each.first, strict=True)
    # A line of the table of effects; `compared` is `second ÷ first`.
    return {
        "label": " × ".join(each.labels),
        "compared": " and ".join(f"{second} ÷ {first}" for second, first in pairs),
        "change": change,
        "interval": interval,
        "plot": ratio_plot(each.ratio, each.low, each.high, half),
        "p": "< 0.001" if each.p_adjusted < 0.001 else f"{each.p_adjusted:.3f}",
        "called": each.called,
    }


SMALLEST_HALF, LARGEST_HALF = log(1.05), log(100)


def half_axis(ratios: Iterable[float | None]) -> float:
    """Half of the common axis of these ratios, as a logarithm."""
    logs = [abs(log(ratio)) for ratio in ratios if ratio]
    return min(max(SMALLEST_HALF, 1.15 * max(logs, default=0.0)), LARGEST_HALF)


def ratio_plot(ratio: float, low: float | None, high: float | None, half: float) -> dict[str, object]:
    """A ratio with its interval on an axis of ratios around 1."""
    whole = low is not None and high is not None
    logs = np.log([ratio, low or ratio, high or ratio])
    x = (WIDTH / 2) * (1 + np.clip(logs / half, -1, 1) * (1 - 2 * MARGIN / WIDTH))
    dot, first, last = np.round(x, 1).tolist()
    return plot_of(dot, (first, last) if whole else None, beyond=abs(log(ratio)) > half)


def share_plot(share: float, low: float | None, high: float | None) -> dict[str, object]:
    """A share with its interval on an axis from 0 to 1."""
    whole = low is not None and high is not None
    x = MARGIN + np.array([share, low or 0.0, high or 0.0]) * (WIDTH - 2 * MARGIN)
    dot, first, last = np.round(x, 1).tolist()
    return plot_of(dot, (first, last) if whole else None, one=float(MARGIN))
