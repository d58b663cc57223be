"""Reads typed fields from a TOML table and collects all faults with their positions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Callable, TypeVar, Union

from .converters import a_list

T = TypeVar("T")
# A workload's parameters. Sizes are bytes, times seconds. The shape fits the contract's `workload.parameters`: scalars
# and lists of scalars.
ParameterValue = Union[bool, int, float, str, list[int], list[str]]
Parameters = dict[str, ParameterValue]
Converter = Callable[[object], ParameterValue]
LONGEST_SHOWN = 200  # characters of a faulty value


class TomlTable:
    """One table of a TOML file. Readers return None for a field that is absent or faulty, and add faults to `faults`.

    `position` is the table's position in the file, such as `targets[0]`. `varied` maps the fields under `vary` to the
    names of the chosen alternatives (`benchagent.plan.vary`).
    """

    def __init__(
        self, fields: object, position: str, faults: list[str], varied: Mapping[str, str] | None = None
    ) -> None:
        self.position, self.faults, self.varied = position, faults, varied or {}
        self.fields: Mapping[str, object] = fields if isinstance(fields, dict) else {}
        self._read: set[str] = set()
        if not isinstance(fields, dict):
            self.fault("", "a table")

    def fault(self, key: str, expected: str) -> None:
        """Add a fault of the field `key`, or of the table itself if `key` is empty."""
        position = ".".join(part for part in (self.position, "vary" if key in self.varied else "", key) if part)
        value = f" is {_shown(self.fields[key])}" if key in self.fields else ""
        self.faults.append(f"{position}{value}; expected {expected}")

    def read(self, key: str, convert: Callable[[object], T]) -> T | None:
        """The converted field. `convert` raises ValueError with a description of valid values."""
        self._read.add(key)
        if key not in self.fields:
            return None
        try:
            return convert(self.fields[key])
        except ValueError as error:
            self.fault(key, str(error))
            return None

    def read_all(self, converters: Mapping[str, Converter]) -> Parameters:
        """The fields with these names, except absent and faulty ones."""
        given = {key: self.read(key, convert) for key, convert in converters.items()}
        return {key: value for key, value in given.items() if value is not None}

    def require(self, key: str) -> None:
        """Add a fault if the field is absent."""
        if key not in self.fields:
            self.fault(key, "a value; it is required")

    def tables(self, key: str) -> list[TomlTable]:
        """The tables of an array of tables, `[[key]]`; at least one is expected."""
        items = self.read(key, a_list)
        if not items:
            self.fault(key, f"at least one [[{key}]]")
        return [TomlTable(item, f"{key}[{index}]", self.faults) for index, item in enumerate(items or [])]

    def refuse_others(self) -> None:
        """Add a fault for every field that was not read: a misspelt option must not be ignored silently."""
        expected = ", ".join(sorted(self._read))
        for key in self.fields:
            if key not in self._read:
                self.fault(key, f"one of {expected}")


def _shown(value: object) -> str:
    """The value as written in the file, shortened if it is long."""
    try:
        words = repr(value)
    except ValueError:  # Python refuses to format integers with very many digits
        return "a very large number"
    return words if len(words) <= LONGEST_SHOWN else words[:LONGEST_SHOWN] + "…"
