"""Metrics, places and visibilities in words, the same on every page."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Protocol

from benchagent.formats.vocabulary import is_size

from .numbers import say_number
from .sizes import print_size, say_size


def upper(text: str) -> str:
    """At the beginning of a sentence; what is written in lower case on purpose has no other case in the tables."""
    return text[:1].upper() + text[1:]


class ResultSettings(Protocol):
    """What a result was measured with; sizes are bytes."""

    @property
    def file_size(self) -> int | None: ...

    @property
    def record_size(self) -> int | None: ...

    @property
    def threads(self) -> int | None: ...

    @property
    def params(self) -> Mapping[str, Any]: ...


_METRICS = {
    "cpu_per_operation": "CPU time of one operation",
    "cpu_of_one_core": "CPU, of one core",
    "cpu_of_all_cores": "CPU, of all cores",
    "latency_p50": "latency, median",
    "latency_p90": "latency, 90th percentile",
    "latency_p95": "latency, 95th percentile",
    "latency_p99": "latency, 99th percentile",
    "latency_p999": "latency, 99.9th percentile",
    "latency_p9999": "latency, 99.99th percentile",
    "latency_percentile": "latency, another percentile",
    "latency_mean": "latency, mean",
    "latency_max": "latency, maximum",
    "latency_min": "latency, minimum",
}

VISIBILITIES = {
    "private": "private: only its owner",
    "unlisted": "unlisted: whoever has the address",
    "public": "public: everybody, and lists show it",
}


def metric_label(metric: str) -> str:
    """`cpu_of_one_core` → `CPU, of one core`."""
    return _METRICS.get(metric) or metric.replace("_", " ")


def direction(higher_is_better: bool) -> str:
    """The arrow in the head of a column."""
    return "↑" if higher_is_better else "↓"


def place_in_words(result: ResultSettings) -> str:
    """`1 GiB file, 1 MiB records, 4 threads`; empty where a result has none of these."""
    parts = [f"{say_size(result.file_size)} file"] if result.file_size is not None else []
    if result.record_size is not None:
        parts.append(f"{say_size(result.record_size)} records")
    return ", ".join([*parts, *threads_and_params(result)])


def threads_and_params(result: ResultSettings) -> list[str]:
    """`["4 threads", "view min"]`; one thread goes without saying."""
    threads = [f"{result.threads} threads"] if (result.threads or 1) > 1 else []
    return [*threads, *params_in_words(result.params)]


def command_line(words: Sequence[str]) -> str:
    """A command as a shell takes it; an article's several, which `;` parts, one a line."""
    return "\n".join(shlex.join(own) for parting, own in groupby(words, ";".__eq__) if not parting)


def params_in_words(params: Mapping[str, Any]) -> list[str]:
    """`["view min", "fsync"]`: true says only its name, false `no fsync`, null nothing."""
    said = []
    for name, value in params.items():
        words = name.replace("_", " ")
        if isinstance(value, bool):
            said.append(words if value else f"no {words}")
        elif isinstance(value, list):
            said.append(f"{words} {' · '.join(_in_words(name, each) for each in value)}")
        elif value is not None:
            said.append(f"{words} {_in_words(name, value)}")
    return said


# What is counted stands after its number.
_COUNTED = {
    "files": "file",
    "directories": "directory",
    "levels": "level",
    "transactions": "transaction",
    "operations": "operation",
    "clients": "client",
}
_SETTING = re.compile(r"(?:^|,)([^=,]+)=(.*?)(?=,[^=,]+=|$)", re.DOTALL)


def settings_in_words(text: str) -> str:
    """`directories=10,files=10000` → `10 directories, 10 000 files`; no two such texts give the same words."""
    return ", ".join(_setting(name, value) for name, value in _SETTING.findall(text)) or text


def _setting(name: str, value: str) -> str:
    words = name.replace("_", " ")
    if value in ("true", "false"):
        return words if value == "true" else f"no {words}"
    if name in _COUNTED and value.isdigit():
        return f"{say_number(int(value), 0)} {_COUNTED[name] if int(value) == 1 else words}"
    if is_size(name) and value.isdigit() and not print_size(int(value)).isdigit():  # a round one, so nothing is lost
        value = say_size(int(value))
    return f"{words} {value}"


def _in_words(name: str, value: Any) -> str:
    """A size is said as such; of a fraction no more than four digits."""
    if isinstance(value, float):
        return f"{value:.4g}"
    return say_size(value) if is_size(name) and isinstance(value, int) else str(value)
