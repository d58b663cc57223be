"""Pairs of runs that differ in one component only; docs/components.md defines them."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

import numpy as np
from django.db.models import F, FloatField, Func, JSONField, TextField, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from benchdb.facts.file_system import COMMON_OPTIONS
from benchdb.facts.names import NO_WORK
from benchdb.http.requests import Reader
from benchdb.runs.listing.facet_rows import Integers
from benchdb.runs.listing.search import of_rows
from benchdb.runs.models import RunState, State
from benchdb.runs.quantities.reading import MOST_QUANTITIES, smallest

from .kinds import Identity, KindDescription
from .listed_runs import PLACES, ListedRuns, Mask

MOST_RUNS = 1_000  # of the component
MOST_OTHERS = 2_000


class _Workload(Func):
    """The MD5 of what must be equal in a pair and is no facet of it."""

    template = "md5(jsonb_build_array(%(expressions)s)::text)"
    output_field = TextField()


class _CommandWithoutParameters(Func):
    """The command line of a run whose parameters are not known, as those of an import."""

    arg_joiner = " = '{}' THEN "
    template = "(CASE WHEN %(expressions)s END)"
    output_field = TextField()


class _Without(Func):
    """A JSON object without some of its keys."""

    arg_joiner = " - "
    template = "(%(expressions)s::text[])"
    output_field = JSONField()


class _Fill(Func):
    """How full a file system was in steps of 5 %; up to 7.5 % counts as empty, because journals differ in size."""

    template = "nullif(greatest(round(20 * %(expressions)s), 1), 1)"
    output_field = FloatField()


WORKLOAD = _Workload(
    _Without(F("run__parameters"), Value(sorted(NO_WORK))),
    _CommandWithoutParameters(F("run__parameters"), F("run__command")),
    KeyTextTransform("prepare", "run__protocol"),
    KeyTextTransform("aging", "run__state_before"),
    _Fill(Cast(KeyTextTransform("fill", "run__state_before"), FloatField())),
    _Without(F("labels"), Value(["plan"])),
)


class PairedRun(NamedTuple):
    """A run that may be in a pair: its id, the row of its facets, the digest of its workload, and its results."""

    run: UUID
    facets: int
    workload: str
    results: int


class Pair(NamedTuple):
    """Two runs that are equal but for the component; `other` is the component of the second one."""

    run: UUID
    against: UUID
    other: Identity
    machine: str


@dataclass(frozen=True)
class Pairs:
    """The newest runs of a component, newest first; the pairs, newest first; the workloads without a clear pair.

    `results` are the numbers of results of all runs among which pairs were searched.
    """

    runs: Sequence[UUID]
    pairs: Sequence[Pair]
    unclear: int
    results: Mapping[UUID, int]


class _Conditions(NamedTuple):
    """A row of facets: what must be equal, the component, its settings, and the machine."""

    equal: Hashable
    component: Identity
    settings: Hashable
    machine: str


def find_pairs(reader: Reader, listed: ListedRuns, kind: KindDescription, own: Mask) -> Pairs:
    """The pairs of a component whose rows are `own`; two queries."""
    runs = _newest(reader, listed.ids[own].tolist(), MOST_RUNS)
    if not kind.page.compared:
        return Pairs([run.run for run in runs], [], 0, {run.run: run.results for run in runs})
    conditions = _conditions(listed, kind)
    wanted = {conditions[row].equal for row in listed.ids[own].tolist()}
    others = [row for row in listed.ids[~own].tolist() if conditions[row].equal in wanted]
    beside = _newest(reader, others, MOST_OTHERS)
    pairs, unclear = _paired(runs, beside, conditions)
    return Pairs([run.run for run in runs], pairs, unclear, {run.run: run.results for run in (*runs, *beside)})


def _newest(reader: Reader, rows: Iterable[int], most: int) -> list[PairedRun]:
    states = of_rows(RunState.objects.listed_for(reader).filter(state=State.READY), rows)
    newest = states.annotate(workload=WORKLOAD).order_by("-run")[:most]
    runs = [PairedRun(*row) for row in newest.values_list("run", "facets", "workload", "result_count")]
    return [*itertools.compress(runs, smallest((run.results for run in runs), MOST_QUANTITIES // 2))]


def _conditions(listed: ListedRuns, kind: KindDescription) -> dict[int, _Conditions]:
    """The conditions of each row by its id."""
    keys = _codes(listed, [name for name in PLACES if name not in {*kind.facets, *kind.page.follow, "test"}])
    if "mount_option" in kind.page.follow:
        keys = np.vstack([keys, _common_options(listed)])

    def identity(codes: list[int]) -> Identity:
        return tuple(listed.values[PLACES[name]][code][0] for name, code in zip(kind.facets, codes, strict=True))

    columns = zip(
        map(tuple, keys.T.tolist()),
        map(identity, _codes(listed, kind.facets).T.tolist()),
        map(tuple, _codes(listed, kind.page.follow).T.tolist()),
        (str(listed.values[PLACES["machine"]][code][0]) for code in listed.codes[PLACES["machine"]].tolist()),
        strict=True,
    )
    return dict(zip(listed.ids.tolist(), itertools.starmap(_Conditions, columns), strict=True))


def _codes(listed: ListedRuns, facets: Sequence[str]) -> Integers:
    """The codes of these facets, (facets, R)."""
    return listed.codes[[PLACES[name] for name in facets]]


def _common_options(listed: ListedRuns) -> Integers:
    """A code for each row: equal for rows with the same mount options among those that all file systems share."""
    place = PLACES["mount_option"]
    known: dict[frozenset[str | None], int] = {}
    codes = [known.setdefault(frozenset(COMMON_OPTIONS & set(each)), len(known)) for each in listed.values[place]]
    return np.asarray(np.array(codes)[listed.codes[place]])


def _paired(
    runs: Sequence[PairedRun], others: Sequence[PairedRun], conditions: Mapping[int, _Conditions]
) -> tuple[list[Pair], int]:
    """The pairs of the newest runs, and the number of workloads with several settings on one side."""
    sides: dict[Hashable, dict[Identity, list[tuple[UUID, _Conditions]]]] = defaultdict(lambda: defaultdict(list))
    own: dict[Hashable, Identity] = {}
    for run in (*runs, *others):
        of_row = conditions[run.facets]
        sides[of_row.equal, run.workload][of_row.component].append((run.run, of_row))
    for run in runs:
        own.setdefault((conditions[run.facets].equal, run.workload), conditions[run.facets].component)
    pairs, unclear = [], 0
    for key, component in own.items():
        mine = sides[key][component]
        for other, theirs in sides[key].items():
            if other == component:
                continue
            if _several(mine) or _several(theirs):
                unclear += 1
            else:
                pairs.append(Pair(mine[0][0], theirs[0][0], other, mine[0][1].machine))
    return pairs, unclear


def _several(side: Sequence[tuple[UUID, _Conditions]]) -> bool:
    return len({of_row.settings for _, of_row in side}) > 1
