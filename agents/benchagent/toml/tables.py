"""Reads typed fields out of a TOML table and collects every fault with its place, so that a person sees all at once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Callable, TypeVar, Union

T = TypeVar("T")
# A workload's parameters. Sizes are bytes, times seconds. The shape fits the contract's `workload.parameters`: scalars
# and lists of scalars.
Value = Union[bool, int, float, str, list[int], list[str]]
Parameters = dict[str, Value]
Converter = Callable[[object], Any]
LONGEST_SHOWN = 200  # characters of a faulty value
LONGEST_LIST = 100  # items; a table that varies is read once a combination
# ext4's and xfs's ways to a journal elsewhere, btrfs's to more devices.
_DEVICE_OPTION = re.compile(r"(?:dev|device|journal_path)\s*=", re.IGNORECASE)
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}")


class Table:
    """One table of the plan. Readers return None where a field is absent or faulty; a fault is noted in `faults`.

    `varied` maps the fields that stand under `vary` to the names of the alternatives that were taken (`plan_vary`).
    """

    def __init__(self, fields: object, place: str, faults: list[str], varied: Mapping[str, str] | None = None) -> None:
        self.place, self.faults, self.varied = place, faults, varied or {}
        self.fields: Mapping[str, Any] = fields if isinstance(fields, dict) else {}
        self._read: set[str] = set()
        if not isinstance(fields, dict):
            self.fault("", "a table")

    def fault(self, key: str, expected: str) -> None:
        place = ".".join(part for part in (self.place, "vary" if key in self.varied else "", key) if part)
        shown = f" is {_shown(self.fields[key])}" if key in self.fields else ""
        self.faults.append(f"{place}{shown}; expected {expected}")

    def read(self, key: str, convert: Callable[[object], T]) -> T | None:
        """`convert` raises ValueError with what it expected."""
        self._read.add(key)
        if key not in self.fields:
            return None
        try:
            return convert(self.fields[key])
        except ValueError as error:
            self.fault(key, str(error))
            return None

    def read_all(self, converters: Mapping[str, Converter]) -> Parameters:
        """The fields of these names, without those that are absent or faulty."""
        given = {key: self.read(key, convert) for key, convert in converters.items()}
        return {key: value for key, value in given.items() if value is not None}

    def require(self, key: str) -> None:
        if key not in self.fields:
            self.fault(key, "a value; it is required")

    def tables(self, key: str) -> list[Table]:
        """The tables of an array of tables, `[[key]]`; at least one is expected."""
        items = self.read(key, a_list)
        if not items:
            self.fault(key, f"at least one [[{key}]]")
        return [Table(item, f"{key}[{index}]", self.faults) for index, item in enumerate(items or [])]

    def refuse_others(self) -> None:
        """Note every field that nobody read: a misspelt option must not be ignored silently."""
        known = ", ".join(sorted(self._read))
        for key in self.fields:
            if key not in self._read:
                self.fault(key, f"one of {known}")


def _shown(value: object) -> str:
    """The value as a person wrote it, cut where it is long."""
    try:
        words = repr(value)
    except ValueError:  # a number of so many digits that Python does not write it
        return "a very large number"
    return words if len(words) <= LONGEST_SHOWN else words[:LONGEST_SHOWN] + "…"


def text(value: object) -> str:
    if isinstance(value, str) and value.strip() and "\0" not in value:
        return value
    raise ValueError("text that is not empty")


def option(value: object) -> str:
    """One argument for mkfs, mount or tune2fs. It cannot name a device or file beside the target."""
    if "/" in text(value):
        raise ValueError("options without a slash; a path could name something beside the target")
    if _DEVICE_OPTION.search(text(value)):
        raise ValueError("options that name no device beside the target")
    return text(value)


def options(value: object) -> list[str]:
    return [option(each) for each in a_short_list(value)]


def a_table(value: object) -> dict[str, Any]:
    if isinstance(value, dict) and value:
        return value
    raise ValueError("a table that is not empty")


def name(value: object) -> str:
    if isinstance(value, str) and NAME.fullmatch(value):
        return value
    raise ValueError("a name of up to 64 letters, digits, and the signs _ . + -, a letter or digit first")


def flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise ValueError("true or false")


def count(value: object) -> int:
    """A whole number, 1 or more."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= 1_000_000:
        return value
    raise ValueError("a whole number from 1 to 1000000")


def seed(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63:
        return value
    raise ValueError("a whole number, 0 or more")


def a_list(value: object) -> list[object]:
    if isinstance(value, list):
        return value
    raise ValueError("a list")


def a_short_list(value: object) -> list[object]:
    items = a_list(value)
    if len(items) > LONGEST_LIST:
        raise ValueError(f"a list of at most {LONGEST_LIST}")
    return items


def list_of(convert: Callable[[object], T]) -> Callable[[object], list[T]]:
    def convert_list(value: object) -> list[T]:
        items = a_short_list(value)
        if not items:
            raise ValueError("a list that is not empty")
        return [convert(item) for item in items]

    return convert_list


def set_of(convert: Callable[[object], T]) -> Callable[[object], list[T]]:
    """A list that holds nothing twice; a single value stands for a list of one."""

    def convert_set(value: object) -> list[T]:
        items = one_or_more(convert)(value)
        if len(set(items)) < len(items):
            raise ValueError("a list that holds nothing twice")
        return items

    return convert_set


def one_or_more(convert: Callable[[object], T]) -> Callable[[object], list[T]]:
    """A single value stands for a list of one."""
    return lambda value: list_of(convert)(value if isinstance(value, list) else [value])


def one_of(choices: Sequence[str]) -> Callable[[object], str]:
    def convert_choice(value: object) -> str:
        if isinstance(value, str) and value in choices:
            return value
        raise ValueError("one of " + ", ".join(choices))

    return convert_choice


def texts_by_name(value: object) -> dict[str, str]:
    """A table of short texts: labels."""
    if isinstance(value, dict) and all(
        isinstance(v, str) and 0 < len(v) <= 200 and 0 < len(k) <= 200 for k, v in value.items()
    ):
        return dict(value)
    raise ValueError('a table of short texts, such as {purpose = "nightly"}')
