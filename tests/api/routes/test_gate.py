"""`POST /api/v1/gate`: verdicts from the values of rounds, and refused requests."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.support.api import error_of
from tests.support.store import make_token

SLOWER = [90.0 + number % 3 for number in range(24)]
USUAL = [100.0 + number % 4 for number in range(24)]


def gate(**changes: Any) -> dict[str, Any]:
    tests = [
        {"name": "write", "metric": "throughput", "baseline_values": USUAL, "candidate_values": SLOWER},
        {"name": "read", "metric": "elapsed", "baseline_values": USUAL, "candidate_values": [*USUAL[:20], None]},
        {"name": "sync", "metric": "rate", "baseline_values": USUAL, "candidate_values": [None] * 24},
    ]
    return {"tests": tests, "looks": [8, 16, 24], "planned": 3, "margin": 0.05, **changes}


@pytest.fixture
def ask(client: Client, owner: User) -> Any:
    _, secret = make_token(owner)

    def post(body: dict[str, Any]) -> Any:
        headers = {"Authorization": f"Bearer {secret}"}
        return client.post("/api/v1/gate", body, content_type="application/json", headers=headers)

    return post


def test_verdicts_and_sentences(ask: Any) -> None:
    answer = ask(gate()).json()
    write, read, sync = answer["verdicts"]
    assert (answer["level"], answer["least_rounds"]) == (0.002, 14)
    assert (write["verdict"], write["rounds_seen"], write["pairs"]) == ("worse", 16, 16)
    assert write["text"].startswith("Worse: 10.4 % slower (95 % interval ")
    assert (write["change"], write["interval"]) == ("10.4 % slower", "9.7 % to 11.1 %")
    assert (read["verdict"], read["rounds_seen"], read["text"][:17]) == ("equivalent", 8, "Equal within 5 %:")
    assert (sync["verdict"], sync["ratio"], sync["text"]) == ("none", None, "One side was not measured.")


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"looks": [16, 8]}, "/"),
        ({"looks": [8, 16, 24, 32]}, "/"),
        ({"looks": []}, "/looks"),
        ({"tests": []}, "/tests"),
        ({"margin": 0}, "/margin"),
        ({"planned": 21}, "/planned"),
        (
            {"tests": [{"name": "a", "metric": "colour", "baseline_values": [1e999], "candidate_values": []}]},
            "/tests/0/metric",
        ),
    ],
)
def test_faults_are_listed(ask: Any, changes: dict[str, Any], pointer: str) -> None:
    faults = error_of(ask(gate(**changes)), 422)["faults"]
    assert any(fault["pointer"].startswith(pointer) for fault in faults), faults
