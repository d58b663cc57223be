"""Findings about the number of contests of three or more rivals in which each value of the factor is best."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import NamedTuple

import numpy as np

from benchdb.compare.table.grid import Grid
from benchdb.stats.comparing.selective import select

from .claims import BestClaim
from .evidence import FindingEvidence
from .finding import FindingWriter, TableFinding, listed


class Contest(NamedTuple):
    """Three or more measured rivals: `cells` begins with the leader, `pairs` compare it with each of the others."""

    leader: str
    values: Sequence[str]
    cells: list[int]
    pairs: list[int]


def best(table: Grid, evidence: FindingEvidence) -> FindingWriter:
    """`xfs is best in 7 of 13, ext4 in 2.` A winner is significantly better than every rival that was measured."""
    contests = list(_contests(table, evidence))

    def write() -> Iterator[TableFinding]:
        if len(contests) < 2 or not any(_is_marked(table, contest.cells) for contest in contests):
            return
        p_of_value, passed = _select(table, evidence, contests)
        won: dict[str, list[Contest]] = defaultdict(list)
        for contest, flag in zip(contests, passed, strict=True):
            if flag and _is_marked(table, contest.cells):
                won[contest.leader].append(contest)
        if won.keys() - {table.content.baseline}:  # else the sentences about the other values say it
            yield _finding(contests, won, max(p_of_value[value] for value in won))

    return write


def _contests(table: Grid, evidence: FindingEvidence) -> Iterator[Contest]:
    """The contests of three or more measured rivals."""
    for rivals in table.contests:
        measured = {value: cell for value, cell in rivals.items() if table.has_mean[cell]}
        if len(measured) < 3:
            continue
        sign = 1 if table.measures[next(iter(measured.values()))].higher_is_better else -1
        leader = max(measured, key=lambda value: table.mean(measured[value]) * sign)
        others = [cell for value, cell in measured.items() if value != leader]
        pairs = [evidence.pair(measured[leader], cell) for cell in others]
        yield Contest(leader, [*measured], [measured[leader], *others], pairs)


def _select(table: Grid, evidence: FindingEvidence, contests: Sequence[Contest]) -> tuple[dict[str, float], list[bool]]:
    """The corrected p of each value of the factor as a winner, and whether the leader of each contest wins.

    Each value is a family, with the test in each contest that it is better than every rival: one-sided, and the
    greatest p counts (intersection-union). A value that does not lead has p = 1.
    """
    index = {value: i for i, value in enumerate(table.values)}
    p = np.full((len(index), len(contests)), np.nan)
    for column, contest in enumerate(contests):
        greatest = _greatest(table, evidence, contest)
        if not isnan(greatest):
            p[[index[value] for value in contest.values], column] = 1.0
            p[index[contest.leader], column] = greatest
    selected = select(p)
    leaders = [index[contest.leader] for contest in contests]
    passed = selected.passed[leaders, np.arange(len(contests))].tolist()
    return dict(zip(index, selected.p.tolist(), strict=True)), passed


def _greatest(table: Grid, evidence: FindingEvidence, contest: Contest) -> float:
    """The greatest one-sided p of the leader against its rivals; NaN if one of them could not be tested."""
    answers = [evidence.answer(pair) for pair in contest.pairs]
    if any(isnan(answer.p) for answer in answers):
        return float("nan")
    upward = table.measures[contest.cells[0]].higher_is_better
    return max(answer.p / 2 if (answer.ratio > 1) == upward else 1.0 for answer in answers)


def _finding(contests: Sequence[Contest], won: Mapping[str, Sequence[Contest]], p: float) -> TableFinding:
    total = len(contests)
    ranked = sorted(won, key=lambda value: -len(won[value]))
    first, *rest = (f"{value} {'is best ' if value == ranked[0] else ''}in {len(won[value])}" for value in ranked)
    text = f"{first} of {total} comparisons{f', {listed(rest)}' if rest else ''}"
    decided = [contest for value in ranked for contest in won[value]]
    if undecided := total - len(decided):
        text += f"; no clear winner in {undecided}"
    return TableFinding(
        "best",
        ranked,
        f"{text}.",
        [cell for contest in decided for cell in contest.cells],
        p,
        len(decided),
        [cell for contest in contests for cell in contest.cells],
        claims=[BestClaim({value: [contest.cells[0] for contest in won[value]] for value in ranked})],
    )


def _is_marked(table: Grid, cells: Sequence[int]) -> bool:
    """Whether the table also marks only the first cell as best."""
    return [cell for cell in cells if table.cells[cell].best] == [cells[0]]
