"""Distributions of latencies in a document: stored byte for byte, or refused with every fault."""

import json
from base64 import b64decode, b64encode
from typing import Any

import pytest

from benchagent.formats.packing.histogram import packed_histogram
from benchdb.ingest.contract import FaultyDocument, histograms, validate
from tests.support.documents import columns_of, document, result

ONE, OTHER = packed_histogram({900: 2, 70_000: 1}), packed_histogram({5: 10**6})
CUT = b64encode(b64decode(ONE)[:-1]).decode()


def latencies(*packed: Any, **fields: Any) -> dict[str, Any]:
    values = [None if each is None else 1e-6 for each in packed]
    return result(values, metric="latency_mean", unit="s", histograms=list(packed), **fields)


def faults_of(*results: dict[str, Any]) -> set[tuple[str, str]]:
    sent = document(rounds=2, results=columns_of(list(results)))
    with pytest.raises(FaultyDocument) as refused:
        validate(json.dumps(sent).encode())
    return {(fault.pointer, fault.expected) for fault in refused.value.faults}


def test_the_bytes_are_kept_for_each_round() -> None:
    sent = document(rounds=2, results=[latencies(ONE, None), result([1.0, 2.0]), latencies(ONE, OTHER, test="read")])
    kept = validate(json.dumps(sent).encode()).results.histograms
    assert kept == [[b64decode(ONE), None], None, [b64decode(ONE), b64decode(OTHER)]]


def test_every_damaged_distribution_is_a_fault() -> None:
    found = faults_of(latencies(CUT, ONE), latencies(ONE, CUT, test="read"), latencies(CUT, CUT, test="reread"))
    expected = "as many bytes of counts as the header says"
    places = [(0, 0), (1, 1), (2, 0), (2, 1)]
    assert found == {(f"/results/histograms/{i}/{round_}", expected) for i, round_ in places}


@pytest.mark.parametrize("text", ["", "not base64", "HISTEw=", "é" * 8, "A" * 140_000, 5, ["x"]])
def test_something_else_than_a_text_of_base64_is_a_fault(text: Any) -> None:
    assert "/results/histograms/0/1" in {pointer for pointer, _ in faults_of(latencies(ONE, text))}


def test_a_distribution_without_its_mean_is_a_fault() -> None:
    lonely = {**latencies(ONE, ONE), "values": [1e-6, None]}
    assert faults_of(lonely) == {("/results/histograms/0/1", "null where the round has no value")}


def test_each_value_has_its_distribution_or_null() -> None:
    few = {**latencies(ONE, ONE), "histograms": [ONE]}
    [(pointer, expected)] = faults_of(few)
    assert pointer == "/results/histograms/0"
    assert expected.startswith("2 distributions, one a value")


def test_only_a_mean_latency_has_distributions() -> None:
    [(pointer, expected)] = faults_of(result([1.0, 2.0], histograms=[ONE, ONE]))
    assert (pointer, expected) == ("/results/histograms/0", "null unless the metric is latency_mean")


def test_the_bytes_of_a_document_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(histograms, "MOST_BYTES", 2 * len(b64decode(ONE)))
    monkeypatch.setattr(histograms, "_AT_ONCE", 50)
    assert faults_of(latencies(ONE, ONE), latencies(ONE, None, test="read")) == {
        ("/results", "distributions of at most 0 MiB in all")
    }
