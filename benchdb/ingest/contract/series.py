"""The series of a document: samples over time, packed. They are inflated here once, within bounds, to be checked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from benchagent.formats.packing.series import unpacked
from benchagent.formats.packing.varint import PackingError
from benchagent.formats.sampled import MOST_POINTS, MOST_POINTS_OF_A_RUN, MOST_SERIES, SAMPLED, Sampled

from .faults import Fault, pointer, shown
from .field_types import MAX_QUANTITY, Count, Identifier, Name, Section, ShortName
from .json_text import Raw

_APART = ("round", "name", "test", "device")  # the start too, of a test that ran several times
LONGEST_ROUND = 31_622_400.0  # seconds, a year: pages draw all series of a round on one time axis
SHORTEST_STEP = 1e-9  # seconds; rates stay finite
LONGEST_PACKED = 12_000  # characters; 600 integers of 64 bits that zlib cannot shorten have 8,100


class SentSeries(Section):
    """One quantity while one round ran. Point i is of the time `start` + (i + 1) · `step` after the round's beginning.

    Point × `scale` is in `unit`.
    """

    round: Count  # the index in `rounds`
    name: Identifier
    unit: Literal["B", "s", "op", "Hz", "°C"]
    source: Name  # the kernel's file, or the tool, that has the numbers
    test: Identifier | None = None  # of a tool's own series
    device: ShortName | None = None  # the disk, of a quantity that each disk has
    start: Annotated[float, Field(ge=0, le=LONGEST_ROUND)]  # seconds
    step: Annotated[float, Field(ge=SHORTEST_STEP, le=LONGEST_ROUND)]  # seconds
    scale: Annotated[float, Field(gt=0, le=MAX_QUANTITY)]
    packed: Annotated[str, StringConstraints(max_length=LONGEST_PACKED)]


def check_series(raw: Raw) -> Iterator[Fault]:
    """Faults of the series that a schema of single fields cannot express; values of wrong types are skipped."""
    sent, rounds = raw.get("series"), raw.get("rounds")
    seen: set[tuple[object, ...]] = set()
    points_left = MOST_POINTS_OF_A_RUN
    if not isinstance(sent, list) or len(sent) > MOST_SERIES:
        return  # the schema reports it
    for i, series in enumerate(sent):
        if not isinstance(series, dict):
            continue
        number, name = series.get("round"), series.get("name")
        if isinstance(rounds, list) and isinstance(number, int) and number >= len(rounds):
            yield Fault(pointer("series", i, "round"), shown(number), f"the index of one of the {len(rounds)} rounds")
        sampled = SAMPLED.get(name) if isinstance(name, str) else None
        if sampled is None:
            yield Fault(pointer("series", i, "name"), shown(name), f"one of {', '.join(SAMPLED)}")
            continue
        if series.get("unit") != sampled.unit:
            yield Fault(pointer("series", i, "unit"), shown(series.get("unit")), f"{sampled.unit}, the unit of {name}")
        key = (*(str(series.get(field)) for field in _APART), series.get("test") and str(series.get("start")))
        if key in seen:
            yield Fault(
                pointer("series", i), shown(series), "one series of this name, test, device and start in a round"
            )
        seen.add(key)
        packed = series.get("packed")
        if isinstance(packed, str) and len(packed) <= LONGEST_PACKED:
            try:
                points = unpacked(packed, min(MOST_POINTS, points_left))
                _check_points(points, series.get("scale"), sampled)
            except PackingError as error:
                expected = f"at most {MOST_POINTS} packed integers, {MOST_POINTS_OF_A_RUN:,} in a document: {error}"
                yield Fault(pointer("series", i, "packed"), shown(packed), expected)
            else:
                points_left -= len(points)
                if _ends_late(series.get("start"), series.get("step"), len(points)):
                    expected = f"an end at most {LONGEST_ROUND:,.0f} s, a year, after the beginning of the round"
                    yield Fault(pointer("series", i, "start"), shown(series["start"]), expected)


def _ends_late(start: object, step: object, points: int) -> bool:
    """Whether a series ends late, though both numbers are ones that the schema allows."""
    if not isinstance(start, float | int) or not isinstance(step, float | int):
        return False
    return 0 <= start <= LONGEST_ROUND >= step > 0 and start + step * points > LONGEST_ROUND


def _check_points(points: list[int], scale: object, sampled: Sampled) -> None:
    """Raises PackingError for points that are no such quantity."""
    if not points:
        raise PackingError("there is no point")
    if sampled.grows and (points[0] < 0 or any(after < before for before, after in pairwise(points))):
        raise PackingError("sums since the first sample cannot fall")
    if isinstance(scale, float | int) and max(map(abs, points)) * abs(scale) > MAX_QUANTITY:
        raise PackingError(f"a point is larger than {MAX_QUANTITY:g}")
