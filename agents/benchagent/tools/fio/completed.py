"""Adds to fio's results the parameters of the plan, which fio prints under other names or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from benchagent.formats.fio.steady import STEADY_STATE
from benchagent.formats.model import Param, Parsed, Result

from .options import DEFAULT_ENGINE, NO_WORK, OF_TESTS, SHOWN_DIGITS

# Params that say what was measured, not how; of a mixed test `rw` too.
MEASURED = ("latency", "percentile", "view", "cpu", "rw")
# Parameters of the plan that have a default which fio's own output has too.
DEFAULTS: Mapping[str, Param] = {"engine": DEFAULT_ENGINE, "depth": 1}
WITHOUT = {
    "direct": False,
    "sync": "none",
    "fsync": False,
    "shared_file": False,
    "invalidate": True,
    "steady_state": False,
}


def completed(parsed: Parsed, parameters: Mapping[str, object]) -> Parsed:
    """The results with the digest of the job file, or with the parameters of the tests in place of fio's options.

    Without such parameters, as for output that was not made from a plan, the results are unchanged. The time until a
    test of the plan was steady by fio's rule is left out: the agent judges it by fsload's rule (`steady_state.py`).
    """
    if digest := parameters.get("job_file_sha256"):
        added: dict[str, Param] = {"job_file": str(digest)[:SHOWN_DIGITS]}
        return replace(parsed, results=[each._replace(params={**each.params, **added}) for each in parsed.results])
    if "tests" not in parameters:
        return parsed
    work = _work(parameters)
    results = [_with(result, work, parameters) for result in parsed.results if result.test != STEADY_STATE]
    return replace(parsed, results=results, parameters={})


def params_of_test(test: str, parameters: Mapping[str, object]) -> dict[str, Param]:
    """The params of a test as a whole, without a direction."""
    return {**_work(parameters), **(_mix(parameters) if test.endswith("mixed") else {})}


def _work(parameters: Mapping[str, object]) -> dict[str, Param]:
    """The parameters that change the work of all tests, each as the plan has it; none that is left at its default."""
    given = {
        name: value
        for name, value in {**DEFAULTS, **parameters}.items()
        if name in OF_TESTS and name not in NO_WORK and name != "read_percent"
    }
    if "rate" in given:
        given.setdefault("arrivals", "even")
    return {
        name: value
        for name, value in given.items()
        if isinstance(value, (str, int, float)) and not (name in WITHOUT and value == WITHOUT[name])
    }


def _with(result: Result, work: Mapping[str, Param], parameters: Mapping[str, object]) -> Result:
    measured = {name: value for name, value in result.params.items() if name in MEASURED}
    mix = _mix(parameters) if "rw" in measured else {}
    return result._replace(params={**work, **mix, **measured})


def _mix(parameters: Mapping[str, object]) -> dict[str, Param]:
    percent = parameters.get("read_percent", 50)
    return {"read_percent": percent} if isinstance(percent, int) else {}
