"""The end of a test whose rate is steady, and the time until it was.

fio ends the test by a rule of its own. The time is judged afterwards, by the rule of fsload and of the page inside a
round, on fio's logs: five successive rates whose range is at most 20 % of their mean, and whose least-squares line
moves by at most 10 % of it (SNIA, Solid State Storage Performance Test Specification). fio's rule is chosen so that
rates that pass it also pass this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from benchagent.formats.fio.steady import NEVER, STEADY_STATE
from benchagent.formats.model import FAILED, OK, Parsed, Result
from benchagent.formats.over_time import OverTime
from benchagent.toml.tables import Parameters

from .completed import params_of_test

OPERATIONS = "operations"
WINDOW, RATE_SECONDS = 5, 1.6
MOST_RANGE, MOST_SLOPE = 0.20, 0.10
# Each rate of a second within 5 % of their mean. In simulations, 1 of 60 slow approaches to a level that end by this
# rule never pass the other one, but 7 to 10 with 6 %, and nearly all with 10 %.
_FIO_RULE, _FIO_SECONDS = "iops:5%", 8


def options_of(parameters: Parameters) -> list[str]:
    """fio's options for all tests; none if the tests are not to end when they are steady."""
    if not parameters.get("steady_state"):
        return []
    words = [f"--steadystate={_FIO_RULE}", f"--steadystate_duration={_FIO_SECONDS}s"]
    ramp = parameters.get("ramp_seconds")
    if isinstance(ramp, (int, float)):
        words.append(f"--steadystate_ramp_time={round(ramp * 1e6)}us")
    return words


def with_steady_state(parsed: Parsed, series: Sequence[OverTime], parameters: Parameters) -> Parsed:
    """The results of one invocation with the time until each of its tests was steady, if they were to end then.

    The results have no lines, because their numbers are in fio's logs and not in its output.
    """
    if not parameters.get("steady_state") or "tests" not in parameters:
        return parsed
    found = [_result(each.test, seconds_until_steady(each), parameters) for each in series if each.name == OPERATIONS]
    return replace(parsed, results=[*parsed.results, *found])


def seconds_until_steady(series: OverTime) -> float | None:
    """The seconds from the start of a test to the end of its first steady window; None if it never was steady."""
    together = max(1, round(RATE_SECONDS / series.step))
    whole = len(series.points) // together
    rates = [sum(series.points[i * together : (i + 1) * together]) for i in range(whole)]
    for end in range(WINDOW, whole + 1):
        if _is_steady(rates[end - WINDOW : end]):
            return end * together * series.step
    return None


def _is_steady(rates: Sequence[float]) -> bool:
    mean = sum(rates) / WINDOW
    middle = (WINDOW - 1) / 2
    moment = sum((i - middle) * rate for i, rate in enumerate(rates))
    moved = abs(moment) / sum((i - middle) ** 2 for i in range(WINDOW)) * (WINDOW - 1)
    return mean > 0 and max(rates) - min(rates) <= MOST_RANGE * mean and moved <= MOST_SLOPE * mean


def _result(test: str, seconds: float | None, parameters: Parameters) -> Result:
    size, record, threads = (parameters.get(name, default) for name, default in _FIELDS)
    return Result(
        STEADY_STATE,
        "elapsed",
        "s",
        (seconds,),
        file_size=size if isinstance(size, int) else None,
        record_size=record if isinstance(record, int) else None,
        threads=threads if isinstance(threads, int) else None,
        params={**params_of_test(test, parameters), "during": test},
        status=OK if seconds is not None else FAILED,
        error=None if seconds is not None else NEVER,
    )


_FIELDS = (("file_size", None), ("record_size", 4096), ("threads", 1))
