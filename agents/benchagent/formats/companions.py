"""Files that a tool writes beside its output, such as logs over time: which test of the output they are of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import TypeVar

from .over_time import SINCE_1970, OverTime

T = TypeVar("T")
_NUMBER = re.compile(r"\.[0-9]{1,9}(?=\.[a-z]{1,9}$)")


@dataclass(frozen=True)
class Companion:
    """The place of a file's numbers in the output that it belongs to.

    `tests` has the output's name of each test of the file. `start` is when their job started, in seconds after the
    first one; `until_end` is the time from then to the end of the last job.
    """

    tests: Mapping[str, str]
    start: float = 0.0
    until_end: float = 0.0


def companion_named(companions: Mapping[str, T], name: str) -> T | None:
    """The entry for a file: under its name, or without the number of its process, `a_bw.log` for `a_bw.1.log`."""
    base = base_name(name)
    return companions.get(base) or companions.get(_NUMBER.sub("", base))


def base_name(name: str) -> str:
    """The name of a file without its folders, in the form of any system."""
    return PurePosixPath(name.replace("\\", "/")).name


def placed(series: Iterable[OverTime], companion: Companion) -> list[OverTime]:
    """The series of a companion with the tests and times of the output; those of other tests are left out."""
    return [
        replace(
            each,
            test=companion.tests[each.test],
            start=each.start if each.start > SINCE_1970 else each.start + companion.start,
        )
        for each in series
        if each.test in companion.tests
    ]


def since_first(series: Iterable[OverTime]) -> list[OverTime]:
    """The series with times of the clock replaced by seconds after the first of them."""
    first = min([each.start for each in series if each.start > SINCE_1970], default=0.0)
    return [replace(each, start=each.start - first) if each.start > SINCE_1970 else each for each in series]
