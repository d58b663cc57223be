"""Series of a document: packed points, checked before anything is built of them."""

import json
from typing import Any

import pytest

from benchagent.formats.packing.series import deflated, packed
from benchagent.formats.sampled import MOST_POINTS, MOST_SERIES
from benchdb.ingest.contract import validate
from benchdb.ingest.contract.series import LONGEST_ROUND
from tests.support.documents import document, encoded, series
from tests.support.faults import faults_of

LEVEL = {"name": "temperature_cpu", "unit": "°C"}


def test_series_are_part_of_the_document() -> None:
    sent = [series(), series(round=2), series(name="latency_max", test="write"), series([-40, 3], **LEVEL)]
    sent += [series(name="disk_busy_time", device=disk) for disk in ("sda", "sdb")]
    frame = validate(encoded(document(series=sent))).frame
    assert [(each.round, each.name, each.test or each.device) for each in frame.series] == [
        (0, "device_flushes", None),
        (2, "device_flushes", None),
        (0, "latency_max", "write"),
        (0, "temperature_cpu", None),
        (0, "disk_busy_time", "sda"),
        (0, "disk_busy_time", "sdb"),
    ]
    assert validate(encoded(document())).frame.series == []


@pytest.mark.parametrize(
    ("changes", "place", "expected"),
    [
        ({"round": 3}, "round", "the index of one of the 3 rounds"),
        ({"name": "speed"}, "name", "one of device_reads, "),
        ({"unit": "B"}, "unit", "op, the unit of device_flushes"),
        ({"step": 0.0}, "step", "greater than or equal to 0.000000001"),
        ({"start": LONGEST_ROUND + 1}, "start", "less than or equal to 31622400"),
        ({"start": LONGEST_ROUND - 1, "step": 0.3}, "start", "at most 31,622,400 s, a year, after the beginning"),
        ({"start": -1.0}, "start", "greater than or equal to 0"),
        ({"colour": "red"}, "colour", "no such field"),
        ({"packed": "???"}, "packed", "not base64"),
        ({"packed": packed([])}, "packed", "there is no point"),
        ({"packed": packed([4, 3])}, "packed", "cannot fall"),
        ({"packed": packed([-1, 3])}, "packed", "cannot fall"),
        ({"packed": packed([1] * (MOST_POINTS + 1))}, "packed", "601 integers; at most 600"),
        ({"packed": packed([1 << 62]), "scale": 1000}, "packed", "a point is larger than 1e+18"),
        ({"packed": deflated(bytes(5_000_000))}, "packed", "more than 6000 bytes when inflated"),
        ({"packed": "A" * 12_001}, "packed", "at most 12000 characters"),
    ],
)
def test_a_faulty_series_is_refused_with_its_place(changes: dict[str, Any], place: str, expected: str) -> None:
    (fault,) = faults_of(document(series=[series(name="operations"), {**series(), **changes}]))
    assert fault.pointer == f"/series/1/{place}"
    assert expected in fault.expected


def test_the_same_series_twice_is_refused() -> None:
    twice = [series(), series(test="write"), series(test="write", start=2.5), series()]
    disks = [series(name="disk_busy_time", device=disk) for disk in ("sda", "sdb", "sda")]
    assert [fault.pointer for fault in faults_of(document(series=disks))] == ["/series/2"]
    (fault,) = faults_of(document(series=twice))
    assert fault.pointer == "/series/3"
    (fault,) = faults_of(document(series=[*twice[1:], series(test="write", start=2.5)]))
    assert fault.pointer == "/series/3"


def test_the_points_of_a_document_are_bounded() -> None:
    """A short text inflates to very many points in all."""
    many = [series([0] * MOST_POINTS, test=f"t{i}") for i in range(3_400)]
    faults = faults_of(json.dumps(document(series=many)).encode())
    assert faults[0].pointer == "/series/3333/packed"
    assert "2,000,000 in a document" in faults[0].expected


def test_the_number_of_series_is_bounded() -> None:
    (fault,) = faults_of(json.dumps(document(series=[series()] * (MOST_SERIES + 1))).encode())
    assert fault.pointer == "/series"
