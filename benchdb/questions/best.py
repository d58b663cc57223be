"""The answer to "which configuration is the best?": each one against the reference within machines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, isfinite
from uuid import UUID

import numpy as np

from benchagent.formats.vocabulary import METRICS
from benchdb.runs.listing.facet_rows import OF_ROW, Members
from benchdb.runs.listing.filters import FACETS
from benchdb.stats.arrays import FloatArray, IntArray
from benchdb.stats.questions.best_configurations import BestConfigurations, Standing, best_configurations
from benchdb.stats.questions.partitions import combined

from .facts import CONFIGURATION, NO_FACTS, say_options
from .sample import Sample

MOST_CONFIGURATIONS = 200


@dataclass(frozen=True, slots=True)
class FactValue:
    """A part of a configuration: the facet, its label, and the value in words."""

    fact: str
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class ComparedConfiguration:
    """A configuration against the reference; None for figures that are not known.

    `parts` differ between the configurations. `ratio` is configuration ÷ reference with a simultaneous 95 % interval.
    `machines` and `runs` are those compared with any other one, `shared` the machines that measured the reference too.
    `newest` is the newest run, `pair` the newest run and one of the reference that is equal in everything else.
    """

    parts: Sequence[FactValue]
    standing: Standing
    reference: bool
    ratio: float | None
    low: float | None
    high: float | None
    machines: int
    shared: int
    runs: int
    p_best: float | None
    newest: UUID
    pair: Sequence[UUID]


@dataclass(frozen=True, slots=True)
class BestAnswer:
    """The answer; `configurations` by group and effect, the best first.

    `common` are the parts that all have. `similar`: the answer is about similar machines, otherwise about the
    `machines` with the `compared` runs. `alone` configurations were never measured beside another one; `left_out` rare
    ones were not considered.
    """

    runs: int
    compared: int
    machines: int
    similar: bool
    common: Sequence[FactValue]
    configurations: Sequence[ComparedConfiguration]
    alone: int
    left_out: int


def find_best(sample: Sample) -> BestAnswer:
    """Compare the configurations of the runs of a sample."""
    count = len(sample.runs)
    names = sample.question.vary or CONFIGURATION
    own = {name: sample.facets.of(name) for name in CONFIGURATION if name in names}
    of_all = combined([codes for codes, _ in own.values()], count)
    frequent = np.argsort(-np.bincount(of_all, minlength=1), kind="stable")
    total = int(of_all.max(initial=-1)) + 1
    kept = np.flatnonzero(np.isin(of_all, frequent[:MOST_CONFIGURATIONS]))
    _, configuration = np.unique(of_all[kept], return_inverse=True)
    others = [sample.facets.of(facet.name)[0] for facet in OF_ROW if facet.name not in (*names, *NO_FACTS)]
    stratum = combined([*others, sample.work], count)[kept]
    machine = sample.machines[kept]
    found = best_configurations(
        sample.logs[kept], configuration, stratum, machine, higher_is_better=METRICS[metric_of(sample)].higher_is_better
    )
    parts, common = _parts({name: (codes[kept], values) for name, (codes, values) in own.items()}, configuration)
    left_out = max(total - MOST_CONFIGURATIONS, 0)
    if found is None:
        return BestAnswer(count, 0, 0, False, common, [], total - left_out, left_out)
    rows = _rows(sample, found, parts, kept, configuration, stratum)
    beside = [row for row in rows if row.runs]
    strata = np.flatnonzero(np.bincount(np.unique(np.stack([stratum, configuration]), axis=1)[0]) > 1)
    return BestAnswer(
        runs=count,
        compared=sum(row.runs for row in beside),
        machines=len(np.unique(machine[np.isin(stratum, strata)])),
        similar=found.similar,
        common=common,
        configurations=beside,
        alone=len(rows) - len(beside),
        left_out=left_out,
    )


def metric_of(sample: Sample) -> str:
    """The metric that the question is about."""
    return str(sample.question.workload["metric"])


def _parts(
    own: dict[str, tuple[IntArray, list[Members]]], configuration: IntArray
) -> tuple[list[list[FactValue]], list[FactValue]]:
    """The parts of each configuration that not all have, and those that all have."""
    size = int(configuration.max(initial=-1)) + 1
    first = np.unique(configuration, return_index=True)[1]
    parts: list[list[FactValue]] = [[] for _ in range(size)]
    common: list[FactValue] = []
    for name, (codes, values) in own.items():
        used = [values[code] for code in codes[first].tolist()]
        facet = FACETS[name]
        if len(set(used)) < 2:
            common += [FactValue(name, facet.label, _say(name, each, ())) for each in used[:1]]
            continue
        shared = set.intersection(*(set(members) for members in used)) - {None} if facet.many else set()
        for place, members in enumerate(used):
            parts[place].append(FactValue(name, facet.label, _say(name, members, [text for text in shared if text])))
        if shared:
            common.append(FactValue(name, facet.label, ", ".join(sorted(text for text in shared if text))))
    return parts, common


def _say(name: str, members: Members, common: Sequence[str]) -> str:
    facet = FACETS[name]
    if not facet.many or members[0] is None:
        return facet.print(members[0])
    return say_options(members, common) or "no further option"


def _rows(
    sample: Sample,
    found: BestConfigurations,
    parts: Sequence[Sequence[FactValue]],
    kept: IntArray,
    configuration: IntArray,
    stratum: IntArray,
) -> list[ComparedConfiguration]:
    """The configurations by standing and effect; runs are newest first, so the first of each is the newest."""
    sign = 1.0 if METRICS[metric_of(sample)].higher_is_better else -1.0
    first = np.unique(configuration, return_index=True)[1]
    standings = list(Standing)

    def key(place: int) -> tuple[int, float]:
        effect = float(found.log[place])
        return standings.index(found.standing[place]), -sign * effect if isfinite(effect) else float("inf")

    return [
        ComparedConfiguration(
            parts=parts[place],
            standing=found.standing[place],
            reference=place == found.reference,
            ratio=_ratio(found.log, place),
            low=_ratio(found.low, place),
            high=_ratio(found.high, place),
            machines=int(found.machines[place]),
            shared=int(found.shared[place]),
            runs=int(found.runs[place]),
            p_best=float(found.p_best[place]) if isfinite(found.p_best[place]) else None,
            newest=sample.runs[kept[first[place]]],
            pair=[sample.runs[kept[run]] for run in _pair(found.reference, place, configuration, stratum)],
        )
        for place in sorted(range(len(parts)), key=key)
    ]


def _pair(reference: int, place: int, configuration: IntArray, stratum: IntArray) -> list[int]:
    """The newest run of the reference and of a configuration in one stratum; empty if there is none."""
    of_reference = np.flatnonzero(configuration == reference)
    both = np.flatnonzero((configuration == place) & np.isin(stratum, stratum[of_reference]))
    if place == reference or not both.size:
        return []
    return [int(of_reference[stratum[of_reference] == stratum[both[0]]][0]), int(both[0])]


def _ratio(logs: FloatArray, place: int) -> float | None:
    log = float(logs[place])
    return exp(log) if isfinite(log) and abs(log) < 700 else None
