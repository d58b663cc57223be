"""Who is best in how many places, where three or more are compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from .evidence import Evidence
from .finding import Finding, Tell, listed
from .places import Place, Table

TIER = 21


def best(table: Table, evidence: Evidence) -> Tell:
    """`xfs is best in 7 of 13, ext4 in 2.` A winner is significantly better than every rival that was measured."""
    contests: list[tuple[str, list[Place], int]] = []
    total = 0
    for rivals in table.rivals.values():
        fit = {value: place for value, place in rivals.items() if place.cell["mean"] is not None}
        if len(fit) < 3:
            continue
        total += 1
        upward = next(iter(fit.values())).measure.higher_is_better
        leader = max(fit, key=lambda value: fit[value].cell["mean"] * (1 if upward else -1))
        others = [place for value, place in fit.items() if value != leader]
        pairs = [evidence.pair(fit[leader], place) for place in others]
        contests.append((leader, [fit[leader], *others], evidence.claim(pairs)))

    def tell() -> Iterator[Finding]:
        won: dict[str, list[tuple[list[Place], int]]] = defaultdict(list)
        for leader, places, claim in contests:
            if evidence.holds(claim) and _marked(places):
                won[leader].append((places, claim))
        if not won or total < 2:
            return
        ranked = sorted(won, key=lambda value: -len(won[value]))
        first, *rest = (f"{value} {'is best ' if value == ranked[0] else ''}in {len(won[value])}" for value in ranked)
        told = [each for value in ranked for each in won[value]]
        p = max(evidence.p_adjusted(claim) for _, claim in told)
        text = f"{first} of {total} comparisons{f', {listed(rest)}' if rest else ''}"
        nobody = total - len(told)
        left = f"; in {nobody} nobody is better than all others" if nobody else ""
        counted = [place for _, places, _ in contests for place in places]
        yield Finding(TIER, f"{text}{left}.", [place for places, _ in told for place in places], p, len(told), counted)

    return tell


def _marked(places: list[Place]) -> bool:
    """Whether the table too marks the first as best, and it alone."""
    return [bool(place.cell.get("best")) for place in places] == [True, *[False] * (len(places) - 1)]
