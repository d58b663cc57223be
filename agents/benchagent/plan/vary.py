"""`vary`: expands one table into many, one for each combination of its alternatives."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from typing import Callable

from benchagent.toml.converters import NAME, a_table
from benchagent.toml.tables import TomlTable

DEFAULT = "default"  # the alternative that adds nothing to the name
# A varied name would collide with the generated ones; the other fields decide which fields the table may have. A list
# of file systems needs no `vary`.
FIXED = ("name", "kind", "tool", "file_system", "vary")
MOST_FAULTS = 1000  # then no more combinations are read, because each would repeat the same faults
Choice = tuple[str, object]  # an alternative's name and its value


def expanded(tables: Iterable[TomlTable], most: int) -> Iterator[TomlTable]:
    """Every table; one with `vary` comes once for each combination. No more than `most` tables in total."""
    count = 0
    for table in tables:
        choices = _choices(table)
        number = math.prod(len(alternatives) for alternatives in choices.values())
        count += number
        if count > most:
            table.fault("vary", f"no more than {most} combinations in the plan; these make {count} so far")
            return
        fields = {key: value for key, value in table.fields.items() if key != "vary"}
        for combination in itertools.product(*choices.values()):
            if len(table.faults) > MOST_FAULTS:
                return
            chosen = dict(zip(choices, combination))
            values = {key: value for key, (_, value) in chosen.items()}
            names = {key: name for key, (name, _) in chosen.items()}
            yield TomlTable({**fields, **values}, table.position, table.faults, names)


def full_name(table: TomlTable, base: str) -> str:
    """The base name and the names of the alternatives, in the order of the plan."""
    joined = "-".join([base, *(name for name in table.varied.values() if name != DEFAULT)])
    if not NAME.fullmatch(joined):
        table.fault("vary", f"shorter names of the alternatives; {joined!r} has more than 64 characters")
    return joined


def _choices(table: TomlTable) -> dict[str, list[Choice]]:
    """The valid alternatives of each varied field; a field without any is left out."""
    vary = table.read("vary", a_table) or {}
    by_field = {}
    for key in vary:
        vary_table = TomlTable(vary, f"{table.position}.vary", table.faults)
        if key in FIXED:
            vary_table.fault(key, f"any field but {', '.join(FIXED)}")
        elif key in table.fields:
            vary_table.fault(key, f"{key} in the table itself or under vary, not in both")
        else:
            choices = vary_table.read(key, _alternatives(key))
            if choices:
                by_field[key] = choices
    return by_field


def _alternatives(key: str) -> Callable[[object], list[Choice]]:
    def convert(value: object) -> list[Choice]:
        if isinstance(value, dict) and value:
            alternatives = list(value.items())
        elif isinstance(value, list) and value and all(isinstance(item, (str, int, float)) for item in value):
            alternatives = [(f"{key}-{_written(item)}", item) for item in value]
        else:
            raise ValueError("a list of texts and numbers, or a table of NAME = value")
        for name, _ in alternatives:
            if not NAME.fullmatch(name):
                raise ValueError(f"a table of NAME = value, because {name[:80]!r} cannot be part of a point's id")
        return alternatives

    return convert


def _written(value: str | float) -> str:
    """A value as part of a name: `8 MiB` is `8MiB`."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and abs(value) >= 2**63:
        return "∞"  # no name, and no value of any field; Python would not write it
    return "".join(str(value).split())
