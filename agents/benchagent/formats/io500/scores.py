"""The phases of one IO500 run, and whether its scores are the geometric means that IO500's rules define.

The bandwidth score is the geometric mean of the IOR phases, the IOPS score that of mdtest's and find, and the total the
geometric mean of both. Some published files have other numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import exp, isclose, log

from benchagent.formats.model import Param
from benchagent.formats.reading.runs import RunValue, ToolRun, printed_value

GIB, THOUSAND = 1024**3, 1000
_SCORED = ("ior_easy_", "ior_hard_", "mdtest_easy_", "mdtest_hard_")
_PHASES = {"throughput": 4, "rate": 8}  # of a complete run
_TEST = "score"


@dataclass(frozen=True)
class PrintedPhase:
    """The number of a phase as printed, in GiB/s or kIOPS, with its line and further params."""

    name: str
    printed: str
    line: int
    params: dict[str, Param] = field(default_factory=dict)
    record_size: int | None = None

    @property
    def metric(self) -> str:
        return "throughput" if self.name.startswith("ior_") else "rate"

    @property
    def is_scored(self) -> bool:
        return (self.name.startswith(_SCORED) and "rnd" not in self.name) or self.name == "find"


@dataclass
class Io500Run:
    """One run: its phases, its scores (printed digits and line, by `throughput`, `rate` and `total`), and facts."""

    line: int
    phases: list[PrintedPhase] = field(default_factory=list)
    scores: dict[str, tuple[str, int]] = field(default_factory=dict)
    facts: dict[str, Param] = field(default_factory=dict)
    threads: int | None = None
    invalid: bool = False

    def is_same(self, following: Io500Run) -> bool:
        """Whether the run that follows in the text repeats this one's phases, with its scores if this one has any."""
        phases = {phase.name: phase.printed for phase in self.phases if not phase.params}
        again = {phase.name: phase.printed for phase in following.phases if not phase.params}
        if not phases or any(again.get(name) is None for name in phases):
            return False
        digits = [(_rounded(printed), _rounded(again[name])) for name, printed in phases.items()]
        return all(first == second for first, second in digits) and (not self.scores or bool(following.scores))

    def details(self) -> tuple[bool, int]:
        """A measure of how much the text says of this run."""
        return bool(self.scores), len(self.phases)

    def tool_run(self) -> ToolRun:
        """The numbers of the run; a phase of zero was not run."""
        run = ToolRun(self.line, self.facts, ended=bool(self.scores))
        for phase in self.phases:
            if float(phase.printed):
                cell = _value(phase.name, phase.metric, phase.printed, phase.line, phase.params)
                cell.record_size = phase.record_size
                run.cells.append(cell)
        for metric in ("throughput", "rate"):
            if metric in self.scores and not self.invalid and not any(self.wrong((metric,))):
                run.cells.append(_value(_TEST, metric, *self.scores[metric], {}))
        for cell in run.cells:
            cell.threads = self.threads
        return run

    def wrong(self, which: Sequence[str] = ("throughput", "rate", "total")) -> Iterable[str]:
        """What is wrong with each of these scores; nothing if the text lacks what it is computed from."""
        for metric, count in _PHASES.items():
            scored = [phase for phase in self.phases if phase.metric == metric and phase.is_scored and not phase.params]
            if metric in which and metric in self.scores and len(scored) == count:
                name = "bandwidth" if metric == "throughput" else "IOPS"
                yield from _differs(name, self.scores[metric][0], [phase.printed for phase in scored], "its phases")
        if "total" in which and len(self.scores) == len(_PHASES) + 1:
            parts = [self.scores["throughput"][0], self.scores["rate"][0]]
            yield from _differs("total", self.scores["total"][0], parts, "bandwidth and IOPS")


def _value(test: str, metric: str, printed: str, line: int, params: dict[str, Param]) -> RunValue:
    times = GIB if metric == "throughput" else THOUSAND
    return printed_value(test, metric, printed, line, params, times=times, error=f"IO500 printed {printed}")


def _differs(name: str, printed: str, parts: Sequence[str], of: str) -> Iterable[str]:
    """A sentence if a score is not the geometric mean of its parts, within the digits that are printed."""
    numbers = [float(part) for part in parts]
    if not all(numbers):
        return
    mean = exp(sum(map(log, numbers)) / len(numbers))
    error = sum(_half_digit(part) / float(part) for part in parts) / len(parts) + 1e-5
    if isclose(float(printed), mean, rel_tol=error, abs_tol=_half_digit(printed)):
        return
    product = exp(sum(map(log, numbers)))
    what = f"the product of {of}" if isclose(float(printed), product, rel_tol=0.01) else f"{float(printed):g}"
    yield f"the {name} score is {what}, not the geometric mean, {mean:.6g}"


def _rounded(printed: str) -> float:
    return round(float(printed), 3)


def _half_digit(printed: str) -> float:
    return float(0.6 * 10.0 ** -len(printed.partition(".")[2]))
