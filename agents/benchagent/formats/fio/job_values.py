"""One entry of fio's `jobs` or `client_stats`: the numbers of each direction, in base units.

Units are those of fio's manual: bw in KiB/s, *_ns in nanoseconds, slat, clat and lat of 2.x in microseconds, runtime in
milliseconds, CPU in percent of the job's time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchagent.formats.model import Param
from benchagent.formats.reading.latency_figures import PERCENTILES, with_enough_beyond
from benchagent.formats.reading.located_json import Counts, Leaf, Node, Object
from benchagent.formats.reading.runs import RunValue, scaled

from .histogram import read_bins
from .options import DIRECTIONS

# How a printed number becomes one in base units: × the first, ÷ the second.
_WHOLE, _KIB, _PERCENT = (1, 1), (1024, 1), (1, 100)
_MILLI, _MICRO, _NANO = (1, 10**3), (1, 10**6), (1, 10**9)
_NUMBER = re.compile(r"(?:-(?=0(?:\.0{1,12})?$))?[0-9]{1,18}(?:\.[0-9]{1,12})?")
LATENCIES = {"slat": "submission", "clat": "completion", "lat": "total"}
_UNITS = {"_ns": _NANO, "": _MICRO}
_NO_MEAN = "no mean is beside it"
_SAMPLES = {"bw": ("throughput", _KIB, "bw_dev"), "iops": ("rate", _WHOLE, "iops_stddev")}

# Known keys that are not measurements: the distribution of the work, counters, and histograms beside the percentiles.
_JOB_KEYS = {"jobname", "groupid", "error", "eta", "elapsed", "job options", "desc", "hostname", "port", "job_runtime"}
_JOB_KEYS |= {"usr_cpu", "sys_cpu", "ctx", "majf", "minf", "iodepth_level", "iodepth_submit", "iodepth_complete"}
_JOB_KEYS |= {"latency_ns", "latency_us", "latency_ms", "latency_depth", "latency_target", "latency_percentile"}
_JOB_KEYS |= {"latency_target_ns", "latency_window_us", "total_err", "first_error"}
_JOB_KEYS |= {"latency_window", "steadystate", "read", "write", "trim", "sync", "mixed", "block", "job_start"}
_DIRECTION_KEYS = {"io_bytes", "io_kbytes", "bw_bytes", "bw", "iops", "runtime", "total_ios", "short_ios", "drop_ios"}
_DIRECTION_KEYS |= {"bw_min", "bw_max", "bw_agg", "bw_mean", "bw_dev", "bw_samples", "iops_min", "iops_max"}
_DIRECTION_KEYS |= {"iops_mean", "iops_stddev", "iops_samples", "cachehit", "cachemiss"}
_DIRECTION_KEYS |= {f"{name}{unit}" for name in LATENCIES for unit in _UNITS}


def directions(job: Object, rw: str | None) -> list[str]:
    """The directions in which the job did something; if none, those of its options."""
    done = [name for name in ("read", "write", "trim", "sync", "mixed") if _did_something(job.get(name))]
    return done or list(DIRECTIONS.get(rw or "", ()))


def cells(direction: Object, unread: list[Leaf]) -> Iterator[RunValue]:
    """The numbers of one direction, not yet with its test and sizes: throughput and rate, their samples, latencies.

    The histograms that cannot be read are added to `unread`, with the reasons and their lines.
    """
    if "bw_bytes" in direction:
        yield from _one(direction.get("bw_bytes"), "throughput", _WHOLE)
    else:
        yield from _one(direction.get("bw"), "throughput", _KIB)
    yield from _one(direction.get("iops"), "rate", _WHOLE)
    yield from _one(direction.get("runtime"), "elapsed", _MILLI)
    for name, (metric, scale, deviation) in _SAMPLES.items():
        if number(direction.get(f"{name}_max")):
            for key, view in (
                (f"{name}_min", "min"),
                (f"{name}_max", "max"),
                (f"{name}_mean", "mean"),
                (deviation, "sd"),
            ):
                yield from _one(direction.get(key), metric, scale, {"view": view})
    for name, kind in LATENCIES.items():
        for suffix, scale in _UNITS.items():
            section = direction.get(f"{name}{suffix}")
            if isinstance(section, dict) and (number(section.get("max")) or number(section.get("mean"))):
                read = read_bins(section.get("bins"), "ns" if suffix else "us")
                if fault := read.fault or (_NO_MEAN if read.packed and not number(section.get("mean")) else ""):
                    line = first_line([section.get("bins", []), section])
                    unread.append(Leaf(f'"bins" of "{name}{suffix}" of fio: {fault}', line))
                counted = number(section.get("N")) or _operations(direction)
                yield from with_enough_beyond(_latency(section, scale, kind, read.packed), counted)


def cpu(job: Object) -> Iterator[RunValue]:
    for key, view in (("usr_cpu", "user"), ("sys_cpu", "system")):
        yield from _one(job.get(key), "cpu_of_one_core", _PERCENT, {"cpu": view})


def logical_bytes(direction: Object) -> int | None:
    """The requested bytes. fio 2.x prints KiB under the name of bytes; the rate shows which."""
    moved, rate, runtime = (number(direction.get(name)) for name in ("io_bytes", "bw", "runtime"))
    if not moved or not rate or not runtime:
        return None
    for unit in (1, 1024):
        if abs(moved * unit * 1000 / runtime / (rate * 1024) - 1) < 0.02:
            return int(moved) * unit
    return None


def unknown(job: Object) -> Iterator[Leaf]:
    """The keys that this reader does not know, with their lines."""
    yield from _unknown(job, _JOB_KEYS)
    for name in ("read", "write", "trim", "sync", "mixed"):
        direction = job.get(name)
        if isinstance(direction, dict):
            yield from _unknown(direction, _DIRECTION_KEYS)


def _operations(direction: Object) -> float | None:
    """The operations of a direction, as counted, or about as many as its rate and its time say."""
    rate, runtime = (number(direction.get(name)) for name in ("iops", "runtime"))
    return number(direction.get("total_ios")) or (rate * runtime / 1000 if rate and runtime else None)


def number(node: Node | None) -> float | None:
    return scaled(node.text) if isinstance(node, Leaf) and _NUMBER.fullmatch(node.text) else None


def text(node: Node | None) -> str | None:
    return node.text if isinstance(node, Leaf) else None


def first_line(node: Node | None) -> int:
    """The line of the first value in a node, 1 if there is none."""
    stack: list[Node | None] = [node]
    while stack:
        node = stack.pop()
        if isinstance(node, (Leaf, Counts)):
            return node.line
        stack.extend(reversed(list(node.values() if isinstance(node, dict) else node or ())))
    return 1


def _did_something(direction: Node | None) -> bool:
    """Whether a direction has work. fio 3.33 prints `total_ios` 0 for fsync, whose latencies show it then."""
    if not isinstance(direction, dict):
        return False
    latencies = direction.get("lat_ns")
    counted = number(latencies.get("N")) if isinstance(latencies, dict) else None
    return bool(counted) or any(number(direction.get(name)) for name in ("total_ios", "bw", "iops", "io_bytes"))


def _latency(section: Object, scale: tuple[int, int], kind: str, histogram: str | None) -> Iterator[RunValue]:
    of_kind: dict[str, Param] = {"latency": kind}
    for key in ("min", "mean", "max"):
        for value in _one(section.get(key), f"latency_{key}", scale, of_kind):
            value.histogram = histogram if key == "mean" and value.value else None
            yield value
    yield from _one(section.get("stddev"), "latency_mean", scale, {**of_kind, "view": "sd"})
    percentiles = section.get("percentile")
    for key, node in percentiles.items() if isinstance(percentiles, dict) else ():
        share = number(Leaf(key, 0))
        if share is None or not 0 < share <= 100:
            continue  # fio 2.1 fills its list up with 0.00
        metric = PERCENTILES.get(share, "latency_percentile")
        params = {} if share in PERCENTILES else {"percentile": share}
        yield from _one(node, metric, scale, {**of_kind, **params})


def _one(
    node: Node | None, metric: str, scale: tuple[int, int], params: dict[str, Param] | None = None
) -> Iterator[RunValue]:
    """One number. Zero is a measurement of a deviation and of CPU time only; `nan` never is."""
    if isinstance(node, Leaf):
        value = scaled(node.text, *scale) if _NUMBER.fullmatch(node.text) else None
        params = params or {}
        if not value and not (value == 0 and (params.get("view") == "sd" or metric == "cpu_of_one_core")):
            yield RunValue("", metric, None, node.line, params, error=f"fio printed {node.text[:40]}")
        else:
            yield RunValue("", metric, value, node.line, params)


def _unknown(section: Object, known: set[str]) -> Iterator[Leaf]:
    for key, node in section.items():
        if key not in known:
            yield Leaf(f'"{key[:80]}" of fio', first_line(node))
