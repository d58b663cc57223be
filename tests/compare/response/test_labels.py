"""Labels beside points: none covers another or a mark, and the important ones have a place first."""

from __future__ import annotations

from benchdb.compare.response.labels import OFFSETS, Wanted, placed

SIZE = (300.0, 200.0)


def test_a_label_alone_is_below_on_the_right() -> None:
    assert placed([Wanted(100, 100, "8")], [(100, 100)], *SIZE) == [OFFSETS[0]]


def test_at_the_edge_it_is_inside() -> None:
    (offset,) = placed([Wanted(298, 198, "knee 16")], [(298, 198)], *SIZE)
    assert offset is not None
    assert (offset.anchor, offset.dy < 0) == ("end", True)


def test_labels_of_one_place_are_around_it_until_no_room_is_left() -> None:
    found = placed([Wanted(150, 100, "32")] * 9, [(150, 100)], *SIZE)
    free = [offset for offset in found if offset is not None]
    assert len(free) == len(set(free)) >= 4
    assert found[-1] is None
