"""The dimensions with a key: `label:site`, `mount_option:data`, `mkfs_option:-i`, `parameter:sync`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite

from benchagent.formats.vocabulary import is_size
from benchdb.facts.dimension import DimensionValue
from benchdb.facts.options import ACCESS_TIMES, FLAGS, scalar
from benchdb.runs.models import Run
from benchdb.wording.sizes import parse_size, say_size
from benchdb.wording.words import a_second


@dataclass(frozen=True)
class KeyedKind:
    """A kind of keyed dimensions: `of(run, key)` is the value of a run, `say(key, value)` a label that has the key.

    `absent` is the label of a run without a value; `{}` is the key in words.
    """

    label: str
    of: Callable[[Run, str], str | None]
    say: Callable[[str, str], str]
    absent: str


@lru_cache(maxsize=200)  # a comparison asks each of its runs for many keys
def settings_of(options: tuple[str, ...]) -> Mapping[str, str]:
    """The value of each option: `writeback` for `data=writeback`; `yes` or `no` for the flags KEY and noKEY."""
    flags = [FLAGS.get(option, option) for option in options]
    found: dict[str, str] = {}
    for option in flags:
        name, equals, value = option.partition("=")
        found.setdefault(name, value if equals else "yes")
    for option in flags:
        if option.startswith("no") and "=" not in option:
            found.setdefault(option[2:], "no")
    if named := next((option for option in flags if option in ACCESS_TIMES), None):
        found["atime"] = "no" if named == "noatime" else named
    return found


def _option(options: Sequence[str], key: str) -> str | None:
    """The value of a mount option, also if a flag is written KEY=1 or KEY=0; None if the run has none."""
    return settings_of(tuple(options)).get(key)


def _argument(options: str, key: str) -> str | None:
    """The word after KEY in a command line; `yes` if an option or nothing follows."""
    words = options.split()
    if key not in words:
        return None
    after = words[words.index(key) + 1 :]
    return after[0] if after and not after[0].startswith("-") else "yes"


def _setting(settings: Mapping[str, object], key: str) -> str | None:
    return None if settings.get(key) is None else scalar(settings[key])


def _say_flag(key: str, value: str) -> str:
    return value if value in ACCESS_TIMES else {"yes": key, "no": f"no{key}"}.get(value, f"{key} {value}")


def level_of(value: DimensionValue) -> float | None:
    """The number of a value: 8 of `8`, 8388608 of `8 MiB`; None if it has none."""
    if isinstance(value, int):
        return float(value)
    if not isinstance(value, str):
        return None
    try:
        number = float(value)
    except ValueError:
        try:
            return float(parse_size(value))
        except ValueError:
            return None
    return number if isfinite(number) else None


def say_parameter(key: str, value: str) -> str:
    """`dsync`, `no fsync`, `chunk size 4 KiB`, `tests write, read`: a word alone if it is clear without its key."""
    words = key.replace("_", " ")
    if value.startswith("["):  # as `scalar` writes a list
        items = [say_parameter(key, scalar(item)) for item in json.loads(value)]
        return f"{words} {', '.join(item.removeprefix(f'{words} ') for item in items)}"
    if value in ("true", "yes"):
        return words
    if value in ("false", "no", "none"):
        return f"no {words}"
    if is_size(key) and value.isdigit():
        return f"{words} {say_size(int(value))}"
    return value if value.isalpha() else f"{words} {a_second(key, value)}"


KEYED = {
    "label": KeyedKind("label", lambda run, key: run.runstate.labels.get(key), lambda _, value: value, "no {}"),
    "mount_option": KeyedKind(
        "mount option", lambda run, key: _option(run.target.mount_options or (), key), _say_flag, "no {} option"
    ),
    "mkfs_option": KeyedKind(
        "mkfs option", lambda run, key: _argument(run.target.mkfs_options, key), _say_flag, "default {}"
    ),
    "parameter": KeyedKind("parameter", lambda run, key: _setting(run.parameters, key), say_parameter, "default {}"),
}
