"""Metrics, places and visibilities in words, the same on every page."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Protocol

from benchagent.formats.vocabulary import is_size

from .numbers import say_number
from .sizes import print_size, say_size


def upper(text: str) -> str:
    """The text for the beginning of a sentence; tables keep the lower case that is written on purpose."""
    return text[:1].upper() + text[1:]


def percentile_name(share: float) -> str:
    """The percentile of a share in percent: `p99.9`."""
    return f"p{share:.10g}"


class ResultSettings(Protocol):
    """The settings of a result's measurement; sizes are bytes."""

    @property
    def file_size(self) -> int | None: ...

    @property
    def record_size(self) -> int | None: ...

    @property
    def threads(self) -> int | None: ...

    @property
    def params(self) -> Mapping[str, object]: ...


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
    "unlisted": "unlisted: everyone with the address",
    "public": "public: everybody, and lists show it",
}


def without_build(version: str | None) -> str:
    """A version without the label of its build: `0.2.0` of `0.2.0+f6ce13d946df`; "" if it is unknown."""
    return (version or "").partition("+")[0]


def metric_label(metric: str) -> str:
    """`cpu_of_one_core` → `CPU, of one core`."""
    return _METRICS.get(metric) or metric.replace("_", " ")


def direction(higher_is_better: bool) -> str:
    """The arrow in the head of a column."""
    return "↑" if higher_is_better else "↓"


def place_in_words(result: ResultSettings) -> str:
    """`1 GiB file, 1 MiB records, 4 threads`; empty if a result has none of these."""
    return ", ".join(place_words(result))


def place_words(result: ResultSettings) -> list[str]:
    """`["1 GiB file", "1 MiB records", "4 threads"]`."""
    parts = [f"{say_size(result.file_size)} file"] if result.file_size is not None else []
    if result.record_size is not None:
        parts.append(f"{say_size(result.record_size)} records")
    return [*parts, *threads_and_params(result)]


def common_and_own(places: Sequence[Sequence[str]]) -> tuple[str, list[str]]:
    """The words that all places have in common, and the other words of each."""
    common = [word for word in places[0] if all(word in place for place in places)] if places else []
    own = [", ".join(word for word in place if word not in common) for place in places]
    return ", ".join(common), own


def threads_and_params(result: ResultSettings) -> list[str]:
    """`["4 threads", "view min"]`; one thread is not mentioned."""
    threads = [f"{result.threads} threads"] if (result.threads or 1) > 1 else []
    return [*threads, *params_in_words(result.params)]


def command_line(words: Sequence[str]) -> str:
    """A command quoted for a shell; several commands of an article, separated by `;`, one per line."""
    return "\n".join(shlex.join(command) for parting, command in groupby(words, ";".__eq__) if not parting)


LONGEST_PARAMETERS = 300  # characters of the parameters of a workload in a list


def cut(text: str, most: int) -> str:
    """The text with at most so many characters: `a long na…`."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def params_in_words(params: Mapping[str, object]) -> list[str]:
    """`["view min", "fsync"]`: only the name for true, `no fsync` for false, nothing for null or an empty list.

    Options are as on a command line, other items of lists are separated by dots.
    """
    texts = []
    for name, value in params.items():
        words = name.replace("_", " ")
        if isinstance(value, bool):
            texts.append(words if value else f"no {words}")
        elif isinstance(value, list):
            separator = " " if name.endswith("options") else " · "
            texts += [f"{words} {separator.join(_in_words(name, item) for item in value)}"] if value else []
        elif value is not None:
            texts.append(f"{words} {_in_words(name, value)}")
    return texts


# Nouns that follow their number, with the singular.
_COUNTED = {
    "files": "file",
    "directories": "directory",
    "levels": "level",
    "transactions": "transaction",
    "operations": "operation",
    "clients": "client",
}
_SETTING = re.compile(r"(?:^|,)([^=,]+)=(.*?)(?=,[^=,]+=|$)", re.DOTALL)


def settings_of(text: str) -> dict[str, str]:
    """`{"directories": "10", "files": "10000"}` of `directories=10,files=10000`."""
    return dict(_SETTING.findall(text))


def a_second(name: str, value: str) -> str:
    """`20000/s` for a rate; any other value as it is."""
    return f"{value}/s" if name == "rate" and value.replace(".", "", 1).isdigit() else value


def settings_in_words(text: str) -> str:
    """`directories=10,files=10000` → `10 directories, 10 000 files`; different texts always give different words."""
    return ", ".join(_setting(name, value) for name, value in settings_of(text).items()) or text


def _setting(name: str, value: str) -> str:
    words = name.replace("_", " ")
    if value in ("true", "false"):
        return words if value == "true" else f"no {words}"
    if name in _COUNTED and value.isdigit():
        return f"{say_number(int(value), 0)} {_COUNTED[name] if int(value) == 1 else words}"
    if (
        is_size(name) and value.isdigit() and not print_size(int(value)).isdigit()
    ):  # a round size, so no digits are lost
        value = say_size(int(value))
    return f"{words} {a_second(name, value)}"


def _in_words(name: str, value: object) -> str:
    """The text of a value: sizes and rates with a unit, fractions with at most four digits."""
    if isinstance(value, float):
        return a_second(name, f"{value:.4g}")
    return say_size(value) if is_size(name) and isinstance(value, int) else a_second(name, str(value))
