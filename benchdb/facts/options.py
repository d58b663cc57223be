"""The names of mount options, and settings and the options of a command line as texts that identify them."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence

# Mount options with 0 and 1 that the kernel takes for noKEY and KEY.
FLAGS = {"barrier=0": "nobarrier", "barrier=1": "barrier"}
# The kernel has one option for access times, with a name for each value.
ACCESS_TIMES = ("noatime", "relatime", "strictatime")


def key_of_option(option: str) -> str:
    """`data` of `data=writeback`, `barrier` of `nobarrier`, `atime` of `relatime`."""
    name = option.partition("=")[0]
    return "atime" if name in ACCESS_TIMES else name.removeprefix("no")


def is_of(word: str, key: str) -> bool:
    """Whether an option is KEY, KEY=…, noKEY, or `KEY value`; or of `atime`, one with another name, as `relatime`."""
    return key in (word, key_of_option(word)) or word.startswith((f"{key}=", f"{key} "))


def arguments(words: Sequence[str], left_out: Collection[str] = ()) -> list[str]:
    """`["-b 4096", "-E stride=32"]`: the options of a command line, each with the words after it."""
    options: list[str] = []
    for word in words:
        if options and not word.startswith("-"):
            options[-1] += f" {word}"
        else:
            options.append(word)
    return [option for option in options if option not in left_out]


def scalar(value: object) -> str:
    """A setting as one text: strings as they are, everything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, separators=(",", ":"))


def settings_value(settings: Mapping[str, object]) -> str | None:
    """`files=4096,view=min`: a text that identifies a set of parameters; None if the set is empty."""
    return ",".join(f"{name}={scalar(settings[name])}" for name in sorted(settings)) or None
