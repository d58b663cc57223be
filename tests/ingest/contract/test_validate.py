"""The whole check of a document: valid ones pass, and every fault is found with its pointer and value."""

import json
from uuid import UUID

import pytest

from benchdb.ingest.contract import FaultyDocument, validate
from benchdb.runs.store.results import merged_results
from tests.support.documents import (
    GIB,
    artifact,
    bonnie_document,
    document,
    encoded,
    iozone_document,
    result,
    round_,
    uuid7,
)
from tests.support.faults import faults_of, places_of

SWITCHES = "/rounds/0/evidence/voluntary_context_switches"


def with_evidence(**evidence: object) -> list[dict[str, object]]:
    """Three rounds, the first with this evidence."""
    return [{**round_(0), "evidence": evidence}, round_(1), round_(2)]


@pytest.mark.parametrize("make", [document, iozone_document, bonnie_document])
def test_real_documents_pass(make) -> None:
    sent = make()

    checked = validate(encoded(sent), UUID(sent["run_id"]))

    assert [list(row.values) for row in merged_results(checked.results)] == [row["values"] for row in sent["results"]]
    assert [file.data for file in checked.frame.artifacts] == [file["data"] for file in sent["artifacts"]]


def test_the_order_of_fields_and_white_space_make_no_other_document() -> None:
    sent = document()
    backwards = dict(reversed(sent.items()))

    assert validate(json.dumps(backwards, indent=2).encode()).digest == validate(encoded(sent)).digest


def test_another_value_makes_another_document() -> None:
    sent = document()

    assert validate(encoded({**sent, "labels": {"plan": "other"}})).digest != validate(encoded(sent)).digest


def test_every_fault_is_found_at_once() -> None:
    sent = document(
        results=[result([1.0, -2.0, 3.0]), result([1.0, 2.0, 3.0], "read", unit="op/s"), result([1.0], "x")]
    )
    del sent["environment"]
    sent["colour"] = "red"
    sent["finished_at"] = "2026-11-20T20:01:54+00:00"
    sent["artifacts"][0]["sha256"] = "0" * 64
    sent["extra"] = {"a/b": {"c~d": "\x00"}}

    assert places_of(sent) == {
        "/environment": None,
        "/colour": "red",
        "/finished_at": "2026-11-20T20:01:54+00:00",
        "/results/0/values/1": -2.0,
        "/results/1/unit": "op/s",
        "/results/2/values": "<list of 1>",
        "/artifacts/0/sha256": "0" * 64,
        "/extra/a~1b/c~0d": "\x00",
    }


def test_each_fault_says_what_was_expected() -> None:
    sent = document(results=[result([1.0, -2.0, 3.0], unit="s")], colour="red")
    del sent["environment"]

    expected = {fault.pointer: fault.expected for fault in faults_of(sent)}

    assert expected == {
        "/environment": "present: the field is required",
        "/results/0/values/1": "a finite number from 0 to 1e+18, or null",
        "/results/0/unit": "B/s, the base unit of throughput",
        "/colour": "no such field in benchdb.run/1; put what it does not know under /extra",
    }


def test_the_refusal_names_the_first_fault_and_counts_the_others() -> None:
    with pytest.raises(FaultyDocument) as refused:
        validate(encoded(document(results=[result([1.0, -2.0, 3.0], unit="s")])))

    assert str(refused.value) == (
        "Not stored: `results/0/values/1` is -2.0; expected a finite number from 0 to 1e+18, or null, and 1 more fault."
    )


def test_the_id_must_be_the_one_in_the_address() -> None:
    sent, other = document(), uuid7()

    with pytest.raises(FaultyDocument) as refused:
        validate(encoded(sent), other)

    assert [fault.as_dict() for fault in refused.value.faults] == [
        {"pointer": "/run_id", "value": sent["run_id"], "expected": f"the id in the address, {other}"}
    ]


@pytest.mark.parametrize(
    ("changes", "place", "value"),
    [
        ({"schema": "benchdb.run/2"}, "/schema", "benchdb.run/2"),
        ({"schema": None}, "/schema", None),
        ({"run_id": "b3f1a1a8-9d5c-4bb5-8f0e-6f6f7f1d2c3b"}, "/run_id", "b3f1a1a8-9d5c-4bb5-8f0e-6f6f7f1d2c3b"),
        ({"run_id": "seven"}, "/run_id", "seven"),
        ({"started_at": 1763668915}, "/started_at", 1763668915),
        ({"started_at": "1763668915"}, "/started_at", "1763668915"),
        ({"started_at": "2026-11-20T20:01:55"}, "/started_at", "2026-11-20T20:01:55"),
        ({"started_at": "2026-11-20T20:01:55+16:00"}, "/started_at", "2026-11-20T20:01:55+16:00"),
        ({"started_at": "2026-13-20T20:01:55Z"}, "/started_at", "2026-13-20T20:01:55Z"),
        ({"started_at": "0001-01-01T00:00:00+14:00"}, "/started_at", "0001-01-01T00:00:00+14:00"),
        ({"finished_at": "9999-12-31T23:59:59-14:00"}, "/finished_at", "9999-12-31T23:59:59-14:00"),
        ({"visibility": "secret"}, "/visibility", "secret"),
        ({"environment": []}, "/environment", "<list of 0>"),
        ({"environment": None}, "/environment", None),
        ({"labels": {"": "x"}}, "/labels/", "x"),
        ({"labels": {"x": ""}}, "/labels/x", ""),
        ({"labels": {"x": "y" * 300}}, "/labels/x", "y" * 200 + "…"),
        ({"rounds": "three"}, "/rounds", "three"),
        ({"rounds": with_evidence(disturbances={"io_error": -1})}, "/rounds/0/evidence/disturbances/io_error", -1),
        ({"rounds": with_evidence(voluntary_context_switches=1.5)}, SWITCHES, 1.5),
        ({"protocol": {**document()["protocol"], "ended_by": "boredom"}}, "/protocol/ended_by", "boredom"),
        ({"protocol": {**document()["protocol"], "precision": 0.0}}, "/protocol/precision", 0.0),
        ({"results": []}, "/results", "<list of 0>"),
        ({"agent": {}}, "/agent/version", None),
        ({"agent": {"version": "1", "name": "x"}}, "/agent/name", "x"),
        ({"campaign": {"id": "x", "point": "1"}}, "/campaign/id", "x"),
        ({"machine": {"name": "m", "machine_id": "5A" * 32}}, "/machine/machine_id", "5A" * 32),
        ({"extra": {"deep": {"er": float("nan")}}}, "/extra/deep/er", "nan"),
        ({"extra": {"values": ["a", float("-inf")]}}, "/extra/values/1", "-inf"),
        ({"extra": {"values": [2**63 - 1, {"a": 1e300}]}}, "/extra/values/1/a", 1e300),
        ({"extra": {"x": -(2**63)}}, "/extra/x", -(2**63)),
        ({"extra": {"x": 2**64 - 1}}, "/extra/x", 2**64 - 1),
        ({"extra": {"x": "\udc80"}}, "/extra/x", "\\udc80"),
        ({"labels": {"x": "\ud800"}}, "/labels/x", "\\ud800"),
        ({"extra": {"\x00": 1}}, "/extra/\x00", 1),
    ],
)
def test_a_fault_of_one_field(changes, place, value) -> None:
    assert places_of({**document(), **changes}) == {place: value}


def test_a_field_that_stands_twice_is_refused() -> None:
    body = encoded(document()).replace(b'"extra": {}', b'"extra": {"a/b": {"c": 1, "c": 2}}')

    assert [fault.as_dict() for fault in faults_of(body)] == [
        {"pointer": "/extra/a~1b/c", "value": 2, "expected": "a name that occurs once in its object"}
    ]


def test_a_result_that_stands_twice_in_the_text_is_refused_although_the_last_is_right() -> None:
    body = encoded(document()).replace(b'"unit": "B/s"', b'"unit": "KB/s", "unit": "B/s"', 1)

    assert places_of(body) == {"/results/0/unit": "B/s"}


@pytest.mark.parametrize(
    "body", [b"", b"{", b"nope", b"\xff\xfe{}", b"\xef\xbb\xbf{}", b'{"a": "\xed\xa0\x80"}', b"{}{}"]
)
def test_what_is_not_json_is_one_fault_of_the_whole(body: bytes) -> None:
    (fault,) = faults_of(body)

    assert fault.pointer == ""
    assert fault.expected.startswith("JSON in UTF-8: ")


@pytest.mark.parametrize(("body", "value"), [(b"[]", "<list of 0>"), (b"null", None), (b'"x"', "x"), (b"NaN", "nan")])
def test_what_is_not_an_object_is_one_fault_of_the_whole(body: bytes, value: object) -> None:
    assert places_of(body) == {"": value}


def test_numbers_that_are_none_of_ours() -> None:
    sent = document(rounds=4)
    sent["results"][0]["values"] = [True, "1", 10**400, 1e19]
    sent["results"][0]["file_size"] = 2**63
    sent["results"][0]["record_size"] = 4096.0
    sent["results"][0]["threads"] = True
    sent["results"][0]["params"] = {"x": 10**400, "y": [1], "z": -(2**70), "w": 1e300}
    sent["environment"]["memory"]["total"] = False
    sent["environment"]["cpu"]["threads"] = 2**31
    del sent["results"][0]["source"]

    assert places_of(sent) == {
        "/environment/memory/total": False,
        "/environment/cpu/threads": 2**31,
        "/results/0/values/0": True,
        "/results/0/values/1": "1",
        "/results/0/values/2": 10**400,
        "/results/0/values/3": 1e19,
        "/results/0/file_size": 2**63,
        "/results/0/record_size": 4096.0,
        "/results/0/threads": True,
        "/results/0/params/x": 10**400,
        "/results/0/params/y": "<list of 1>",
        "/results/0/params/z": -(2**70),
        "/results/0/params/w": 1e300,
    }


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_values_are_finite(number: str) -> None:
    body = encoded(document(results=[result([12345.5, 1.0, 1.0])])).replace(b"12345.5", number.encode())

    assert places_of(body) == {"/results/0/values/0": repr(float(number))}


def test_a_document_nested_too_deeply_is_refused_where_it_is_too_deep() -> None:
    deep: dict[str, object] = {}
    for _ in range(40):
        deep = {"x": deep}

    assert places_of(document(extra=deep)) == {"/extra" + "/x" * 31: "<dict of 1>"}


def test_a_document_nested_deeper_than_a_reader_can_follow_is_refused() -> None:
    (fault,) = faults_of(b'{"extra":' + b"[" * 100_000 + b"]" * 100_000 + b"}")

    assert fault.expected == "JSON that is nested less deeply"


def test_very_many_faults_are_listed_up_to_a_thousand() -> None:
    sent = document(results=[result([-1.0] * 3, f"test_{i}") for i in range(20_000)])

    with pytest.raises(FaultyDocument) as refused:
        validate(encoded(sent))

    assert [fault.pointer for fault in refused.value.faults[:2]] == ["/results/0/values/0", "/results/0/values/1"]
    assert len(refused.value.faults) == 1000


def test_too_many_unknown_fields_are_counted_not_listed() -> None:
    faults = faults_of(document(machine={f"field{i}": i for i in range(20_000)}))

    assert [(fault.pointer, fault.expected) for fault in faults] == [
        ("", "a document of benchdb.run/1; this one has 20,002 faults, too many to list")
    ]


def test_faults_of_long_lists_are_found_wherever_they_are() -> None:
    sent = document(rounds=300, results=[result([1.0] * 300, unit="x"), result([1.0] * 300, "read", unit="y")])
    for i in (0, 13, 299):
        sent["rounds"][i] = {**sent["rounds"][i], "status": "lost", "evidence": {"noise": {"load": [1]}}}
    sent["artifacts"] *= 12
    sent["artifacts"][11] = {**sent["artifacts"][11], "name": "eleven", "size": 1}

    of_rounds = {f"/rounds/{i}/{place}" for i in (0, 13, 299) for place in ("status", "evidence/noise/load")}
    of_artifacts = {f"/artifacts/{i}/name" for i in range(1, 11)} | {"/artifacts/11/size"}
    assert set(places_of(sent)) == of_rounds | of_artifacts | {"/results/0/unit", "/results/1/unit"}


def test_as_many_rounds_as_a_long_run_has() -> None:
    sent = document(rounds=5000, results=[result([float(i) for i in range(5000)])])

    assert len(validate(encoded(sent)).frame.rounds) == 5000


def test_raw_output_full_of_commas_is_not_taken_for_many_values() -> None:
    text = '1,2,3,"[{\\\n' * 400_000
    sent = document(artifacts=[artifact("iozone.txt", text)])

    assert validate(encoded(sent)).frame.artifacts[0].data == text


def test_memory_of_a_terabyte_is_a_size() -> None:
    sent = document()
    sent["environment"]["memory"]["total"] = 1024 * GIB

    validate(encoded(sent))


@pytest.mark.parametrize(
    "mark", ["\x7f", "\x80", "\x9f", "\u061c", "\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069"]
)
def test_names_and_labels_hold_no_marks_that_change_the_direction_of_writing(mark: str) -> None:
    sent = document(labels={"plan": f"x{mark}y"})
    sent["machine"]["name"] = f"epyc{mark}-2"

    expected = {fault.pointer: fault.expected for fault in faults_of(sent)}

    words = "visible text without control characters and marks that change the direction of writing"
    assert expected == {"/labels/plan": words, "/machine/name": words}


@pytest.mark.parametrize("blank", ["\u200b", "\u2060", "\u3164", "\ufeff", " \u2800\xa0", "\xad\ufe0f", "\U000e0061"])
def test_names_and_labels_have_a_visible_character(blank: str) -> None:
    sent = document(labels={"plan": blank})
    sent["machine"]["name"] = blank

    assert places_of(sent).keys() == {"/labels/plan", "/machine/name"}
    validate(encoded(document(labels={"plan": f"{blank}é"})))


def test_a_line_fits_into_the_database() -> None:
    sent = document(rounds=4)
    sent["results"][0]["source"]["lines"] = [2**31 - 1, 2**31, 0, 2]

    assert places_of(sent) == {"/results/0/source/lines/1": 2**31, "/results/0/source/lines/2": 0}
