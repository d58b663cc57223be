"""Reads the JSON of answers into records, whose fields then have the declared types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

T = TypeVar("T")  # a dataclass
# What reading JSON of another shape raises.
MISSHAPEN = (AttributeError, LookupError, RecursionError, TypeError, ValueError)
LARGEST = 1e300  # no figure is larger, and differences of such figures are finite
_TYPES = {
    "str": (str,),
    "bool": (bool,),
    "int": (int,),
    "float": (int, float),
    "None": (type(None),),
    "list": (list,),
    "Mapping[str, str]": (dict,),
}


def record(kind: type[T], facts: Mapping[str, Any]) -> T:
    """The record of `kind`, a dataclass, with these facts; others are left out. Raises one of MISSHAPEN."""
    return kind(**{field.name: checked(facts[field.name], str(field.type)) for field in fields(kind)})  # type: ignore[arg-type]


def checked(value: Any, declared: str) -> Any:
    """A value of the declared type, with a tuple for a list. Raises one of MISSHAPEN."""
    if declared.startswith("tuple["):
        return tuple(checked(item, declared[len("tuple[") : -len(", ...]")]) for item in checked(value, "list"))
    types = tuple(kind for name in declared.split(" | ") for kind in _TYPES[name])
    if not isinstance(value, types) or (isinstance(value, (int, float)) and not abs(value) <= LARGEST):
        raise TypeError(f"expected {declared}")
    if isinstance(value, str):
        value.encode()  # halves of surrogate pairs have no form in UTF-8
    return value
