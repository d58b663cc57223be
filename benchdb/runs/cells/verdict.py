"""A cell's verdict against its baseline, and the warnings about cells and verdicts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CellWarning:
    """A warning with its sentence; `numbers` are the figures in the sentence."""

    code: str
    numbers: dict[str, object]
    text: str


@dataclass(frozen=True, slots=True)
class CellVerdict:
    """The comparison of a cell with its baseline.

    `kind` is better, worse, equivalent, inconclusive, or none with its `reason`. `ratio` is cell ÷ baseline of the
    figure itself, whatever direction is better: of the geometric means if all values are known and positive, else of
    the means. `low` and `high` bound its 95 % interval; a difference is called only if the interval does not contain 1.
    `ratio_of_means` is that of the arithmetic means. `p_of_claims` is `p` corrected for few rounds and for the `look`
    at a growing run (docs/statistics.md), `p_adjusted` that one corrected for all verdicts of the table. `change` is
    the ratio in words (`8 % faster`), `why` the verdict as a sentence. `rounds_for_precision`: the further rounds on
    each side that determine the ratio of an inconclusive cell within the margin. `rounds_to_decide`: those after
    which it has a verdict in four cases of five, if it would differ alone; unknown in contents of before.
    """

    kind: str
    reason: str | None
    ratio: float | None
    low: float | None
    high: float | None
    ratio_of_means: float | None
    p: float | None
    p_of_claims: float | None
    p_adjusted: float | None
    rounds_for_precision: int | None
    method: str | None
    warnings: list[CellWarning]
    change: str
    why: str
    look: int = 0
    rounds_to_decide: int | None = None


@dataclass(frozen=True, slots=True)
class TailVerdict:
    """The comparison of a cell's slowest operations with those of its baseline (docs/statistics.md, "Tails").

    `kind` is better, worse, equivalent or inconclusive. `share` of the operations took at most the compared latency, in
    percent. `ratio` is cell ÷ baseline, `low` and `high` bound its 95 % interval. `p_adjusted` is corrected for all
    tails of the table. `change` is the ratio in words, `why` the verdict as a sentence.
    """

    kind: str
    share: float
    ratio: float
    low: float
    high: float
    p: float
    p_adjusted: float
    change: str
    why: str
