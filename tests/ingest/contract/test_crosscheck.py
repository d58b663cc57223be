"""Rules between fields."""

import base64
import hashlib
from typing import Any

import pytest

from benchdb.ingest.contract import validate
from tests.support.documents import artifact, document, encoded, result
from tests.support.faults import faults_of, places_of, refusal

VALUES = [1.0, 2.0, 3.0]
LONG = {str(i): "x" * 100 for i in range(4)}  # params


@pytest.mark.parametrize(
    ("fields", "place", "value", "expected"),
    [
        ({"metric": "speed"}, "metric", "speed", "one of throughput, rate, elapsed, "),
        ({"metric": "throughput", "unit": "s"}, "unit", "s", "B/s, the base unit of throughput"),
        ({"metric": "elapsed", "unit": "op/s"}, "unit", "op/s", "s, the base unit of elapsed"),
        ({"metric": "layout_score", "unit": "B"}, "unit", "B", ""),
        ({"unit": "KiB/s"}, "unit", "KiB/s", "B/s, the base unit of throughput"),
    ],
)
def test_unknown_metrics_and_units_are_refused(fields: dict[str, Any], place: str, value: str, expected: str) -> None:
    (fault,) = faults_of(document(results=[result(VALUES, **fields)]))
    assert (fault.pointer, fault.value) == (f"/results/0/{place}", value)
    assert fault.expected.startswith(expected)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({}, {}),
        ({"file_size": None}, {}),
        ({"params": {}}, {}),
        ({"threads": None, "params": {"a": 1, "b": "x"}}, {"params": {"b": "x", "a": 1}}),
        ({"params": {"a": 1}}, {"params": {"a": 1.0}}),  # PostgreSQL's jsonb treats these as equal
        ({"params": {"a": 10**17}}, {"params": {"a": 1e17}}),
        ({"file_size": 4096, "record_size": 4096}, {"file_size": 4096, "record_size": 4096}),
    ],
)
def test_the_same_result_twice_is_refused(first: dict[str, Any], second: dict[str, Any]) -> None:
    other = result(VALUES, "read")

    (fault,) = faults_of(document(results=[result(VALUES, **first), other, result(VALUES, **second)]))

    assert fault.pointer == "/results/2"
    assert "/results/0 has the same test, metric, sizes, threads and params" in fault.expected


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"file_size": 4096}, {"record_size": 4096}),
        ({"file_size": 4096}, {}),
        ({"params": {"a": None}}, {}),
        ({"params": {"a": 1}}, {"params": {"a": "1"}}),
        ({"params": {"a": 1}}, {"params": {"a": True}}),
        ({"params": {"a": None}}, {"params": {"a": "null"}}),
    ],
)
def test_results_that_differ_in_anything_are_two(first: dict[str, Any], second: dict[str, Any]) -> None:
    validate(encoded(document(results=[result(VALUES, **first), result(VALUES, **second)])))


@pytest.mark.parametrize(
    ("sections", "faults"),
    [
        (
            {"results": [result(VALUES, params={f"option {i}": "x" * 100 for i in range(5)})]},
            {"/results/0/params": "<dict of 5>"},
        ),
        (
            {"results": [result(VALUES, params={"a": 1000 + i // 2, **LONG}, threads=1 + i % 2) for i in range(4476)]},
            {"/results": None},
        ),
        (
            {"results": [result(None, summary={"n": 0, "mean": -1.0, "sd": -1.0})]},
            {"/results/0/summary/n": 0, "/results/0/summary/mean": -1.0, "/results/0/summary/sd": -1.0},
        ),
        (
            {"artifacts": [artifact("a.txt", "1"), artifact("a.txt", "2")], "results": [result(VALUES)]},
            {"/artifacts/1/name": "a.txt"},
        ),
    ],
    ids=["params too long for an index", "too many different params", "negative summary", "names of artifacts twice"],
)
def test_every_fault_has_its_place(sections: dict[str, Any], faults: dict[str, object]) -> None:
    assert places_of(document(**sections)) == faults


@pytest.mark.parametrize("values", [[], [1.0], [1.0, 2.0], [1.0, 2.0, 3.0, None]])
def test_values_are_one_a_round(values: list[float | None]) -> None:
    places = places_of(document(results=[result(values or [None])]))
    assert places["/results/0/values"] == f"<list of {len(values or [None])}>"


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"values": [None, None, None]}, "/results/0/values"),
        ({"values": None}, "/results/0/values"),
        ({"values": VALUES, "summary": {"mean": 2.0}}, "/results/0/summary"),
        ({"values": [None] * 3, "status": "failed"}, "/results/0/error"),
        ({"values": VALUES, "status": "failed", "error": "No space left on device"}, "/results/0/values"),
        ({"values": VALUES, "status": "unmeasurable"}, "/results/0/values"),
        ({"values": None, "summary": {"mean": 2.0}, "status": "unmeasurable"}, "/results/0/summary"),
        ({"values": VALUES, "status": "skipped"}, "/results/0/status"),
    ],
)
def test_status_and_values_go_together(fields: dict[str, Any], place: str) -> None:
    assert list(places_of(document(results=[{**result(None), **fields}]))) == [place]


def test_a_round_without_a_value_is_null_and_a_summary_that_somebody_else_computed_stands_for_values() -> None:
    validate(encoded(document(results=[result([1.0, None, 3.0])])))
    sent = document(results=[result(None, summary={"n": 10, "mean": 120.5, "sd": 0.4})])

    assert list(validate(encoded(sent)).results.given) == [{"n": 10, "mean": 120.5, "sd": 0.4}]


def test_the_columns_of_a_source_are_one_a_value_belong_together_and_name_artifacts_that_are_there() -> None:
    names, lines = ["iozone.txt", None, "bonnie.csv"], [None, 2, 1]

    def of(source: object) -> dict[str, Any]:
        return places_of(document(results=[result(VALUES, source=source)]))

    assert of({"artifacts": names, "lines": [1, None, 1]}) == {"/results/0/source/artifacts/2": "bonnie.csv"}
    assert of({"artifacts": names, "lines": lines}) == {
        "/results/0/source/lines/0": None,
        "/results/0/source/lines/1": 2,
        "/results/0/source/artifacts/2": "bonnie.csv",
    }
    assert of({"artifacts": ["iozone.txt"] * 2, "lines": [1] * 4}) == {
        "/results/0/source/artifacts": "<list of 2>",
        "/results/0/source/lines": "<list of 4>",
    }
    assert of({"artifacts": ["iozone.txt"] * 3}) == {"/results/0/source/lines": None}
    assert of({"artifacts": ["iozone.txt"] * 3, "lines": [1, 0, "2"]}) == {
        "/results/0/source/lines/1": 0,
        "/results/0/source/lines/2": "2",
    }
    assert of("iozone.txt") == {"/results/0/source": "iozone.txt"}
    assert of([{"artifact": "iozone.txt", "line": 1}]) == {"/results/0/source": "<list of 1>"}


def test_the_digest_of_raw_output_is_checked() -> None:
    raw = {**artifact("a.txt", "right"), "sha256": hashlib.sha256(b"wrong").hexdigest()}
    (fault,) = faults_of(document(artifacts=[raw], results=[result(VALUES)]))

    assert (fault.pointer, fault.value) == ("/artifacts/0/sha256", raw["sha256"])
    assert fault.expected == f"the data's own digest, {hashlib.sha256(b'right').hexdigest()}"


def test_raw_output_that_is_no_text_comes_as_base64() -> None:
    content = bytes(range(256))
    raw = {
        **artifact("trace.bin", ""),
        "encoding": "base64",
        "data": base64.b64encode(content).decode(),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    validate(encoded(document(artifacts=[raw], results=[result(VALUES)])))

    assert places_of(document(artifacts=[{**raw, "data": "a?b="}], results=[result(VALUES)])) == {
        "/artifacts/0/data": "a?b="
    }


def test_raw_output_may_hold_nul_but_no_lone_surrogate() -> None:
    validate(encoded(document(artifacts=[artifact("a.txt", "a\x00b")], results=[result(VALUES)])))

    sent = document(artifacts=[{**artifact("a.txt", ""), "data": "a\ud800"}], results=[result(VALUES)])
    assert places_of(sent) == {"/artifacts/0/data": "a\\ud800"}


@pytest.mark.parametrize(
    "name", ["", "/etc/passwd", "../a", "a/../b", ".a", "a//b", "a/", "a b", 'a"b', "a\nb", "ä.txt", "x" * 201]
)
def test_names_of_artifacts_are_plain_relative_paths(name: str) -> None:
    assert [*places_of(document(artifacts=[artifact(name, "1")], results=[result(VALUES)]))] == ["/artifacts/0/name"]


def test_the_values_of_a_document_of_the_wrong_shape_do_not_stop_the_check() -> None:
    sent = document(artifacts="none", results=[None, 5, {"values": {}, "params": [], "test": {}, "source": {}}])

    assert {"/artifacts", "/results/0", "/results/1", "/results/2/values", "/results/2/params"} <= set(places_of(sent))


@pytest.mark.parametrize(("number", "fault"), [(1000, False), (1001, True)])
def test_tests_are_as_many_as_tables_have_columns(number: int, fault: bool) -> None:
    refused = refusal(encoded(document(results=[result([1.0] * 3, f"test_{i}") for i in range(number)])))
    found = [(each.pointer, each.expected) for each in refused.faults] if refused else []
    assert found == [("/results", "results of at most 1,000 tests, not 1,001")] * fault
