"""Converters of TOML values: each returns the typed value, or raises ValueError with a description of valid values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Callable, TypeVar

from .quantities import parse_size

T = TypeVar("T")
LONGEST_LIST = 100  # items; a table with `vary` is read once for each combination
# ext4's and xfs's options for a journal on another device, btrfs's for more devices.
_DEVICE_OPTION = re.compile(r"(?:dev|device|journal_path)\s*=", re.IGNORECASE)
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}")
_FILE = re.compile(r"[A-Za-z0-9_+-][A-Za-z0-9_+.-]*(/[A-Za-z0-9_+-][A-Za-z0-9_+.-]*)*")
_LONGEST_FILE = 100  # characters


def text(value: object) -> str:
    if isinstance(value, str) and value.strip() and "\0" not in value:
        return value
    raise ValueError("text that is not empty")


def option(value: object) -> str:
    """One argument for mkfs, mount or tune2fs. It cannot name a device or file outside the target."""
    if "/" in text(value):
        raise ValueError("options without a slash; a path could name something beside the target")
    if _DEVICE_OPTION.search(text(value)):
        raise ValueError("options that name no device beside the target")
    return text(value)


def options(value: object) -> list[str]:
    return [option(item) for item in a_short_list(value)]


def a_table(value: object) -> dict[str, object]:
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
    """A list without duplicates; a single value is read as a list of one."""

    def convert_set(value: object) -> list[T]:
        items = one_or_more(convert)(value)
        if len(set(items)) < len(items):
            raise ValueError("a list that holds nothing twice")
        return items

    return convert_set


def one_or_more(convert: Callable[[object], T]) -> Callable[[object], list[T]]:
    """A list that is not empty; a single value is read as a list of one."""
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


def number(least: int, most: int) -> Callable[[object], int]:
    """A converter for whole numbers within these bounds."""

    def convert(value: object) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        raise ValueError(f"a whole number from {least} to {most}")

    return convert


def real(most: int) -> Callable[[object], float]:
    """A converter for numbers from 0 to `most`."""

    def convert(value: object) -> float:
        if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= most:
            return value
        raise ValueError(f"a number from 0 to {most}")

    return convert


def any_size(value: object) -> int:
    """A size that may be 0."""
    return 0 if value == 0 and not isinstance(value, bool) else parse_size(value)


def text_file(value: object) -> str:
    """A file beside the plan whose text is stored in the run's document. Its path cannot leave the plan's folder."""
    if isinstance(value, str) and _FILE.fullmatch(value) and len(value) <= _LONGEST_FILE:
        return value
    raise ValueError("a file beside the plan, named by letters, digits, and the signs _ . + - /, no part hidden")


def archive(value: object) -> str:
    """A file beside the plan; its digest is stored in the run's document, its content is not."""
    return text_file(value)
