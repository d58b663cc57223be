"""Findings about the number of contests of three or more rivals in which each value of the factor is best."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from .evidence import FindingEvidence
from .finding import FindingWriter, TableFinding, listed
from .table_cells import MeasuredCell, TableCells

TIER = 21


class Contest(NamedTuple):
    """Rivals and their leader: `entries` begins with the leader; `claim`: the leader differs from all others."""

    leader: str
    entries: list[MeasuredCell]
    claim: int


def best(table: TableCells, evidence: FindingEvidence) -> FindingWriter:
    """`xfs is best in 7 of 13, ext4 in 2.` A winner is significantly better than every rival that was measured."""
    contests = list(_contests(table, evidence))

    def write() -> Iterator[TableFinding]:
        won: dict[str, list[Contest]] = defaultdict(list)
        for contest in contests:
            if evidence.holds(contest.claim) and _marked(contest.entries):
                won[contest.leader].append(contest)
        if won and len(contests) > 1:
            yield _finding(evidence, contests, won)

    return write


def _contests(table: TableCells, evidence: FindingEvidence) -> Iterator[Contest]:
    """The contests of three or more measured rivals."""
    for rivals in table.rivals.values():
        measured = {value: entry for value, entry in rivals.items() if entry.cell.mean is not None}
        if len(measured) < 3:
            continue
        sign = 1 if next(iter(measured.values())).measure.higher_is_better else -1
        leader = max(measured, key=lambda value: measured[value].mean * sign)
        others = [entry for value, entry in measured.items() if value != leader]
        claim = evidence.claim([evidence.pair(measured[leader], entry) for entry in others])
        yield Contest(leader, [measured[leader], *others], claim)


def _finding(
    evidence: FindingEvidence, contests: Sequence[Contest], won: Mapping[str, Sequence[Contest]]
) -> TableFinding:
    total = len(contests)
    ranked = sorted(won, key=lambda value: -len(won[value]))
    first, *rest = (f"{value} {'is best ' if value == ranked[0] else ''}in {len(won[value])}" for value in ranked)
    text = f"{first} of {total} comparisons{f', {listed(rest)}' if rest else ''}"
    decided = [contest for value in ranked for contest in won[value]]
    if undecided := total - len(decided):
        text += f"; in {undecided} nobody is better than all others"
    return TableFinding(
        TIER,
        f"{text}.",
        [entry for contest in decided for entry in contest.entries],
        max(evidence.p_adjusted(contest.claim) for contest in decided),
        len(decided),
        [entry for contest in contests for entry in contest.entries],
    )


def _marked(entries: list[MeasuredCell]) -> bool:
    """Whether the table also marks only the first cell as best."""
    return [bool(entry.cell.best) for entry in entries] == [True, *[False] * (len(entries) - 1)]
