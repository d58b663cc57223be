"""The answer to "which facts explain the variance?": shares of facts, and effects of a designed campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np
import orjson
from django.http import QueryDict
from pydantic import TypeAdapter

from benchdb.compare.page_parts.kept import LivePart, kept_part
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.exports.parts import MAKERS
from benchdb.http.requests import Reader
from benchdb.http.work import TASK_SECONDS, expect, is_request
from benchdb.runs.costs import seconds_of_facts
from benchdb.runs.kept import MOST_RUNS_OF_TASK
from benchdb.stats.questions.designed import DesignedEffects, designed_effects
from benchdb.stats.questions.variance import ExplainedVariance, Shares, explained_variance

from .facts import VariedFact, facts_of, joined
from .query import read_question
from .sample import Sample, sample


@dataclass(frozen=True, slots=True)
class ShareOfVariance:
    """A share between 0 and 1 with its 95 % interval; None if it is not known."""

    share: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class ExplainedFact:
    """Facts that always changed together: names, labels, number of values, and the labels of facts they follow from."""

    facts: Sequence[str]
    labels: Sequence[str]
    values: int
    alone: ShareOfVariance
    beyond: ShareOfVariance
    follows_from: Sequence[str]


@dataclass(frozen=True, slots=True)
class EffectOfFacts:
    """An effect of one or two facts: their names and labels, and their `first` and `second` values in words.

    Facts that always changed together count as one, whose label and values are those of all of them.
    Of one fact, `ratio` is that of the figures with the second to those with the first value; of two, the factor by
    which the effect of one changes if the other has its second value.
    """

    facts: Sequence[str]
    labels: Sequence[str]
    first: Sequence[str]
    second: Sequence[str]
    ratio: float
    low: float
    high: float
    p: float
    p_adjusted: float
    called: bool


@dataclass(frozen=True, slots=True)
class FactsAnswer:
    """The answer. `of_machines`: the intervals are from leaving out machines, otherwise runs.

    `together` is the share of all facts. `noise` is the relative standard deviation of a run beside the `effects`,
    which are empty unless the runs are a designed campaign. `few_machines` are the labels of facts that only tell some
    of the machines from others, which are too few for a share.
    """

    runs: int
    machines: int
    facts: Sequence[ExplainedFact]
    together: ShareOfVariance | None
    of_machines: bool
    effects: Sequence[EffectOfFacts]
    noise: float | None
    few_machines: Sequence[str]


_ANSWER = TypeAdapter(FactsAnswer)


def explained(found: Sample, reader: Reader) -> FactsAnswer:
    """The answer, computed now; or, if it takes a request too long, by a worker for all readers of the same runs.

    Raises LeftToWorker.
    """
    options = found.facets.options()
    facts: list[VariedFact] = []
    if (seconds := seconds_of_facts(0, 0, options)) <= TASK_SECONDS:
        facts = facts_of(found.facets, found.choices.machines)
        seconds = seconds_of_facts(len(facts), len(found.runs), options)
        if is_request() and seconds <= TASK_SECONDS:
            return explain(found, facts)

    def made() -> bytes:
        expect(seconds)
        return orjson.dumps(explain(found, facts or facts_of(found.facets, found.choices.machines)))

    made_part = kept_part(LivePart("facts", "facts", found.question.text), reader, found.reads, made, MOST_RUNS_OF_TASK)
    return _ANSWER.validate_json(made_part.raw)


def explain_again(part: LivePart, reader: Reader) -> None:
    """Keep the answer that a request left to this worker. Raises ImpossibleSelection if its question has faults now."""
    question, faults = read_question(QueryDict(part.query))
    if faults:
        raise ImpossibleSelection(faults)
    explained(sample(question, reader), reader)


MAKERS["facts"] = explain_again  # `exports` cannot import this package


def explain(sample: Sample, facts: Sequence[VariedFact]) -> FactsAnswer:
    """The shares of all facts that differ between the runs of a sample, the largest first."""
    own = sample.machines
    count = len(np.unique(own))
    codes = np.stack([fact.codes for fact in facts]) if facts else np.zeros((0, len(sample.runs)), dtype=np.int64)
    found = explained_variance(sample.logs, codes, own)
    if found is None:
        return FactsAnswer(len(sample.runs), count, [], None, False, [], None, [])
    labels = [[facts[fact].label for fact in group] for group in found.groups]
    rows = [
        ExplainedFact(
            facts=[facts[fact].name for fact in group],
            labels=labels[place],
            values=int(found.levels[place]),
            alone=_share(found.alone, place),
            beyond=_share(found.beyond, place),
            follows_from=[joined(labels[other]) for other in found.follows_from[place]],
        )
        for place, group in enumerate(found.groups)
        if not found.few_machines[place]
    ]
    left_out = [joined(labels[place]) for place in np.flatnonzero(found.few_machines).tolist()]
    effects, noise = _effects(sample, facts, found)
    together = _share(found.total, 0)
    return FactsAnswer(len(sample.runs), count, rows, together, found.machines, effects, noise, left_out)


def _share(shares: Shares, place: int) -> ShareOfVariance:
    figures = (float(column[place]) for column in (shares.share, shares.low, shares.high))
    return ShareOfVariance(*(figure if isfinite(figure) else None for figure in figures))


def _effects(
    sample: Sample, facts: Sequence[VariedFact], found: ExplainedVariance
) -> tuple[list[EffectOfFacts], float | None]:
    """The effects of the facts that differ on machines, if these are factors with two values."""
    machine = next((k for k, group in enumerate(found.groups) if any(facts[i].name == "machine" for i in group)), None)
    varied = [
        group
        for place, group in enumerate(found.groups)
        if place != machine and machine not in found.follows_from[place]
    ]
    if any(len(facts[group[0]].values) != 2 for group in varied) or not varied:
        return [], None
    # A group has the order of its first fact.
    codes = np.stack([facts[group[0]].codes for group in varied])
    effects = designed_effects(sample.logs, codes, sample.machines)
    if effects is None:
        return [], None
    return [_effect(facts, varied, effects, place) for place in range(len(effects.terms))], effects.sd


def _effect(
    facts: Sequence[VariedFact], varied: Sequence[Sequence[int]], effects: DesignedEffects, place: int
) -> EffectOfFacts:
    of_term = [[facts[fact] for fact in varied[factor]] for factor in effects.terms[place]]
    return EffectOfFacts(
        facts=[fact.name for group in of_term for fact in group],
        labels=[joined([fact.label for fact in group]) for group in of_term],
        first=[_value(group, 0) for group in of_term],
        second=[_value(group, 1) for group in of_term],
        ratio=float(np.exp(effects.log[place])),
        low=float(np.exp(effects.low[place])),
        high=float(np.exp(effects.high[place])),
        p=float(effects.p[place]),
        p_adjusted=float(effects.p_adjusted[place]),
        called=bool(effects.called[place]),
    )


def _value(group: Sequence[VariedFact], level: int) -> str:
    """The value of a fact; of facts that changed together those of all, where the first one has this level."""
    if len(group) == 1:
        return group[0].values[level]
    run = int(np.flatnonzero(group[0].codes == level)[0])
    return ", ".join(fact.words(int(fact.codes[run])) for fact in group)
