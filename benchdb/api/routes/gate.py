"""`/api/v1/gate`: the verdicts of a gate from the values of its rounds. Nothing is stored."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from django.http import HttpRequest
from ninja import Field, Router, Schema
from pydantic import AfterValidator, FiniteFloat, model_validator

from benchagent.formats.vocabulary import METRICS
from benchdb.api.auth import TokenAuth
from benchdb.api.errors import ErrorOut
from benchdb.api.throttle import AccountThrottle
from benchdb.compare.verdicts.gates import why_of_gate
from benchdb.ingest.models import Scope
from benchdb.stats.arrays import FloatArray
from benchdb.stats.gate import LEVEL, PairedRounds, judge, least_rounds
from benchdb.wording.changes import change_and_interval

router = Router(tags=["gate"])
MOST_TESTS, MOST_LOOKS, MOST_ROUNDS = 300, 20, 1000
Values = Annotated[list[FiniteFloat | None], Field(max_length=MOST_ROUNDS)]
Round = Annotated[int, Field(ge=1, le=MOST_ROUNDS)]


def _known(metric: str) -> str:
    if metric not in METRICS:
        raise ValueError(f"one of {', '.join(METRICS)}")
    return metric


Metric = Annotated[str, AfterValidator(_known)]


class GateTestIn(Schema):
    """The values of one test by round on both sides; null in rounds without one."""

    name: str = Field(max_length=500)
    metric: Metric
    baseline_values: Values
    candidate_values: Values


class GateIn(Schema):
    """All tests of a gate, and the numbers of rounds at which it has looked at them, this look included."""

    tests: list[GateTestIn] = Field(min_length=1, max_length=MOST_TESTS)
    looks: list[Round] = Field(min_length=1, max_length=MOST_LOOKS)
    planned: int = Field(ge=1, le=MOST_LOOKS)
    margin: float = Field(ge=0.001, le=1)

    @model_validator(mode="after")
    def _looks_are_planned(self) -> GateIn:
        if self.looks != sorted(set(self.looks)) or len(self.looks) > self.planned:
            raise ValueError("looks rise, and are no more than planned")
        return self


class GateTestOut(Schema):
    """The verdict on a test, with the figures of the look that decided, or of the last look if none decided."""

    name: str
    verdict: Literal["better", "worse", "equivalent", "inconclusive", "none"]
    rounds_seen: int
    pairs: int
    ratio: float | None
    low: float | None
    high: float | None
    p_adjusted: float | None
    change: str
    interval: str
    text: str


class GateOut(Schema):
    """The verdicts in the order of the tests. With fewer than `least_rounds` no difference can be called."""

    level: float
    least_rounds: int
    verdicts: list[GateTestOut]


@router.post(
    "",
    auth=TokenAuth(Scope.UPLOAD),
    throttle=[AccountThrottle()],
    response={200: GateOut, frozenset({400, 401, 403, 422, 429, 503}): ErrorOut},
)
def post_gate(request: HttpRequest, body: GateIn) -> GateOut:
    """The verdicts on the tests of a gate after its looks. Only rounds that both sides have are compared, in pairs.

    All looks together call any difference with a chance of at most `level` if there is none (docs/statistics.md).
    """
    tests = [PairedRounds(*_sides(test), higher_is_better=METRICS[test.metric].higher_is_better) for test in body.tests]
    found = judge(tests, body.looks, body.planned, body.margin)
    return GateOut(
        level=LEVEL,
        least_rounds=least_rounds(len(tests), body.planned),
        verdicts=[
            GateTestOut(
                name=test.name,
                verdict=each.verdict.value,
                rounds_seen=each.rounds,
                pairs=each.pairs,
                ratio=each.ratio,
                low=each.low,
                high=each.high,
                p_adjusted=each.p_adjusted,
                change=change,
                interval=interval,
                text=why_of_gate(each, test.metric, body.margin),
            )
            for test, each in zip(body.tests, found, strict=True)
            for change, interval in [change_and_interval(test.metric, each.ratio, each.low, each.high)]
        ],
    )


def _sides(test: GateTestIn) -> tuple[FloatArray, FloatArray]:
    """Both sides, cut to the rounds of the shorter one; missing values are NaN."""
    rounds = min(len(test.baseline_values), len(test.candidate_values))
    return np.array(test.baseline_values[:rounds], dtype=float), np.array(test.candidate_values[:rounds], dtype=float)
