"""The shape of a line of figures along an ordered dimension: its turning points, as far as tests confirm them."""

from __future__ import annotations

from collections.abc import Mapping

Signs = Mapping[tuple[int, int], int]


def turning_points(signs: Signs, sizes: Mapping[tuple[int, int], float], last: int) -> list[int]:
    """The positions of a line's turning points, its ends included; empty if nothing changes.

    `signs` has 1 for each pair (earlier, later) of positions with a confirmed rise, −1 for a fall; `sizes` are the
    sizes of the changes. Each returned position differs from the next one, rises and falls alternate, there are as many
    as possible, and among these the changes are the largest. The first and the last position of the line are among them
    if the changes to them are confirmed too.
    """
    if (0, last) in signs and len(set(signs.values())) == 1:
        return [0, last]
    chains: dict[tuple[int, int], tuple[int, float, list[int]]] = {}  # by position and direction of the last change
    best: tuple[int, float, list[int]] = (0, 0.0, [])
    for earlier, later in sorted(signs, key=lambda pair: pair[1]):
        sign = signs[earlier, later]
        count, size, path = chains.get((earlier, -sign), (0, 0.0, [earlier]))
        chain = (count + 1, size + sizes[earlier, later], [*path, later])
        chains[later, sign] = max(chains.get((later, sign), (0, 0.0, [])), chain, key=_rank)
        best = max(best, chain, key=_rank)
    return _to_the_ends(best[2], signs, last) if best[2] else []


def _rank(chain: tuple[int, float, list[int]]) -> tuple[int, float]:
    return chain[:2]


def _to_the_ends(path: list[int], signs: Signs, last: int) -> list[int]:
    if signs.get((0, path[1])) == signs[path[0], path[1]]:
        path[0] = 0
    if signs.get((path[-2], last)) == signs[path[-2], path[-1]]:
        path[-1] = last
    return path
