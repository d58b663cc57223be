"""Builds fio's command line from a workload's parameters."""

from __future__ import annotations

from benchagent.toml.tables import Parameters, ParameterValue
from benchagent.tools.declaration import CommandContext
from benchagent.tools.values import names

from . import steady_state
from .options import DEFAULT_ENGINE, TESTS, file_name, has_job_file
from .over_time import log_options, logs_of

OUTPUT = ["--output-format=json+", "--eta=never"]
ARRIVALS = {"even": "linear", "poisson": "poisson"}


def arguments(parameters: Parameters, context: CommandContext) -> list[str]:
    """The arguments of one run with all tests, one after the other, or with the job file."""
    if has_job_file(parameters):
        return [*OUTPUT, context.path(file_name(parameters))]
    tests = names(parameters, "tests")
    return [*OUTPUT, *_shared(parameters), *(word for test in tests for word in _test(test, parameters, tests[0]))]


def cold(parameters: Parameters, context: CommandContext) -> list[list[str]]:
    """One invocation for each test, so that the caches can be emptied before it; one for a job file."""
    if has_job_file(parameters):
        return [arguments(parameters, context)]
    tests = names(parameters, "tests")
    return [arguments({**parameters, "tests": [test]}, context) for test in tests]


def _shared(parameters: Parameters) -> list[str]:
    """The options of all tests, which come before the first job."""
    words = [f"--size={parameters['file_size']}", f"--bs={parameters.get('record_size', 4096)}"]
    words += ["--filename=file"] if parameters.get("shared_file") else ["--filename_format=file.$jobnum"]
    words += [f"--numjobs={parameters.get('threads', 1)}", "--group_reporting"]
    words += [f"--ioengine={parameters.get('engine', DEFAULT_ENGINE)}", f"--iodepth={parameters.get('depth', 1)}"]
    words += ["--direct=1"] if parameters.get("direct") else []
    words += [f"--sync={parameters['sync']}"] if parameters.get("sync", "none") != "none" else []
    words += _fsync(parameters.get("fsync", False))
    if "seconds" in parameters:
        words += ["--time_based", f"--runtime={_microseconds(parameters['seconds'])}"]
    if "ramp_seconds" in parameters:
        words.append(f"--ramp_time={_microseconds(parameters['ramp_seconds'])}")
    if "rate" in parameters:
        words.append(f"--rate_iops={parameters['rate']}")
        words.append(f"--rate_process={ARRIVALS[str(parameters.get('arrivals', 'even'))]}")
    words += [f"--rate={parameters['bytes_per_second']}"] if "bytes_per_second" in parameters else []
    if "compressibility" in parameters:
        words += [f"--buffer_compress_percentage={parameters['compressibility']}", "--refill_buffers"]
    words += ["--invalidate=0"] if parameters.get("invalidate") is False else []
    return [*words, *steady_state.options_of(parameters), *log_options(parameters)]


def _test(test: str, parameters: Parameters, first: str) -> list[str]:
    """One job. It waits for those before it."""
    mix = [f"--rwmixread={parameters.get('read_percent', 50)}"] if test.endswith("mixed") else []
    wait = [] if test == first else ["--stonewall"]
    return [f"--name={test}", f"--rw={TESTS[test]}", *mix, *wait, *logs_of(test)]


def _fsync(value: ParameterValue) -> list[str]:
    if value is True:
        return ["--end_fsync=1"]
    return [f"--fsync={value}"] if value else []


def _microseconds(value: ParameterValue) -> str:
    """A time in a unit that takes fractions of a second; fio's own numbers are whole."""
    return f"{round(float(str(value)) * 1e6)}us"
