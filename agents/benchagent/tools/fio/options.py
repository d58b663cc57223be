"""The parameters of a fio workload: those of tests, or a job file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from benchagent.toml.converters import LONGEST_LIST, a_short_list, count, flag, number, one_of, set_of, text, text_file
from benchagent.toml.quantities import parse_duration, parse_size
from benchagent.toml.tables import Converter, Parameters, TomlTable
from benchagent.tools.declaration import TextInPlan

from .job_file import cold_faults

# fio's rw= for each test.
TESTS = {
    "write": "write",
    "read": "read",
    "random_write": "randwrite",
    "random_read": "randread",
    "mixed": "rw",
    "random_mixed": "randrw",
}
# The engines that read and write files, with the number of requests in flight that they can have.
ENGINES = {
    **dict.fromkeys(("sync", "psync", "vsync", "pvsync", "pvsync2", "mmap"), 1),
    **dict.fromkeys(("io_uring", "libaio", "posixaio"), 65536),
}
DEFAULT_ENGINE = "psync"
LONGEST_TEXT = 1024 * 1024  # bytes of a job file
LONGEST_STEADY = 900.0  # seconds of a test that is to end when it is steady, as of fsload
SHOWN_DIGITS = 8  # of the digest of a job file


def _fsync(value: object) -> bool | int:
    if isinstance(value, bool):
        return value
    try:
        return count(value)
    except ValueError:
        raise ValueError("true, false, or a number of writes") from None


def _paths(value: object) -> list[str]:
    """Absolute paths without `..`; a slash at the end is left out."""
    paths = [text(item) for item in a_short_list(value)]
    if not paths or not all(path.startswith("/") and ".." not in path.split("/") for path in paths):
        raise ValueError(f"a list of 1 to {LONGEST_LIST} absolute paths")
    return [path.rstrip("/") or "/" for path in paths]


def _job_text(value: object) -> str:
    if len(text(value).encode("utf-8", "replace")) > LONGEST_TEXT:
        raise ValueError("a job file of at most 1 MiB")
    return text(value)


OF_TESTS: dict[str, Converter] = {
    "tests": set_of(one_of(tuple(TESTS))),
    "file_size": parse_size,
    "record_size": parse_size,
    "threads": number(1, 1024),
    "depth": number(1, 65536),
    "engine": one_of(tuple(ENGINES)),
    "direct": flag,
    "sync": one_of(("none", "dsync", "sync")),
    "fsync": _fsync,
    "seconds": parse_duration,
    "ramp_seconds": parse_duration,
    "steady_state": flag,
    "rate": count,  # operations per second of each thread
    "arrivals": one_of(("even", "poisson")),
    "bytes_per_second": parse_size,  # bytes per second of each thread
    "read_percent": number(0, 100),
    "shared_file": flag,
    "compressibility": number(0, 100),  # percent
    "invalidate": flag,
}
OF_JOB_FILE: dict[str, Converter] = {"job_file": text_file, "jobs": _job_text, "outside": _paths}
PARAMETERS = {**OF_TESTS, **OF_JOB_FILE}
NO_WORK = {
    "tests": "it selects results, and each test does the same work",
    "file_size": "it is the file size of the results",
    "record_size": "it is the record size of the results",
    "threads": "it is the number of threads of the results",
    "jobs": "its digest is job_file",
    "outside": "it permits what a job file does, and the job file is what its results differ by",
}


def read(table: TomlTable) -> Parameters:
    """The parameters of one workload; faults go into the table."""
    forms = [key for key in ("tests", "job_file", "jobs") if key in table.fields]
    if len(forms) != 1:
        table.fault(forms[-1] if forms else "", "one of tests, job_file and jobs")
    if "job_file" in forms or "jobs" in forms:
        return table.read_all(OF_JOB_FILE)
    parameters = table.read_all(OF_TESTS)
    if forms:
        table.require("file_size")
    _check(table, parameters)
    return parameters


def _check(table: TomlTable, parameters: Parameters) -> None:
    """Add the faults of parameters that conflict."""
    size, record = parameters.get("file_size"), parameters.get("record_size", 4096)
    if isinstance(size, int) and isinstance(record, int) and size % record:
        table.fault("file_size", f"a multiple of the record size, {record} B")
    engine, depth = str(parameters.get("engine", DEFAULT_ENGINE)), parameters.get("depth", 1)
    if isinstance(depth, int) and depth > ENGINES[engine]:
        table.fault("depth", f"1 with {engine}; io_uring, libaio and posixaio have several requests in flight")
    if "arrivals" in parameters and "rate" not in parameters:
        table.fault("arrivals", "a rate beside it")
    if parameters.get("arrivals") == "poisson" and type(parameters.get("fsync")) is int:
        table.fault("fsync", "true or false beside poisson arrivals; fio 3.33 crashes when it times single fsyncs")
    if "rate" in parameters and "bytes_per_second" in parameters:
        table.fault("bytes_per_second", "either a rate or bytes_per_second, not both")
    if "ramp_seconds" in parameters and "seconds" not in parameters:
        table.fault("ramp_seconds", "seconds beside it")
    _check_steady_state(table, parameters)
    tests = parameters.get("tests")
    if "read_percent" in parameters and isinstance(tests, list) and not {"mixed", "random_mixed"} & {*map(str, tests)}:
        table.fault("read_percent", "mixed or random_mixed among the tests")


def _check_steady_state(table: TomlTable, parameters: Parameters) -> None:
    """Add the faults of tests that are to end when they are steady, but have no longest time, or too long a one."""
    seconds = parameters.get("seconds")
    if parameters.get("steady_state") and not isinstance(seconds, (int, float)):
        table.fault("steady_state", "seconds beside it, the longest time of a test")
    elif parameters.get("steady_state") and isinstance(seconds, (int, float)) and seconds > LONGEST_STEADY:
        table.fault("seconds", "at most 15 min beside steady_state")


def cold_fault(parameters: Parameters) -> str | None:
    """The fault of reading files from the cache: fio may write them after the agent has emptied the caches."""
    if faults := cold_faults(str(parameters["jobs"])) if "jobs" in parameters else []:
        return f"another job file: {faults[0]}"
    if parameters.get("invalidate") is False:
        return "invalidate = true in fio's tests; fio writes the files that it reads after the caches were emptied"
    return None


def has_job_file(parameters: Parameters) -> bool:
    return "jobs" in parameters or "job_file" in parameters


def files(parameters: Parameters) -> dict[str, bool]:
    """The job file beside the plan."""
    return {"job_file": True} if "job_file" in parameters else {}


def text_in_plan(parameters: Parameters) -> TextInPlan | None:
    """The job file in the plan itself."""
    if "jobs" not in parameters:
        return None
    return TextInPlan("jobs", "job_file", file_name(parameters), str(parameters["jobs"]))


def file_name(parameters: Parameters) -> str:
    """The name of the job file. One in the plan is named by its digest: the same text has the same name everywhere."""
    if "job_file" in parameters:
        return str(parameters["job_file"])
    digest = hashlib.sha256(str(parameters["jobs"]).encode("utf-8", "replace")).hexdigest()
    return f"jobs-{digest[:SHOWN_DIGITS]}.fio"


def again(parameters: Mapping[str, object], texts: Mapping[str, str]) -> Mapping[str, object]:
    """The parameters of a plan that measures the same: a job file is in the plan itself.

    Raises ValueError with the reason if its text is not known as it was.
    """
    if "job_file" not in parameters:
        return {name: value for name, value in parameters.items() if name in PARAMETERS}
    text = texts.get(str(parameters["job_file"]))
    if text is None:
        raise ValueError("the text of the job file is not stored with the run")
    if hashlib.sha256(text.encode("utf-8", "replace")).hexdigest() != parameters.get("job_file_sha256"):
        raise ValueError("the agent replaced private names in the stored job file, so that it is not the one that ran")
    return {"jobs": text, **({"outside": parameters["outside"]} if "outside" in parameters else {})}
