"""The faults of a document, each with its JSON Pointer (RFC 6901), the value there and the expected value."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace

from pydantic import ValidationError

from benchdb.wording.names import OF_NAMES, OF_NAMES_IN_WORDS

LONGEST_SHOWN = 200
MOST_LISTED = 1000
JsonPath = tuple[str | int, ...]
Shown = str | int | float | None
Locate = Callable[[JsonPath], str]  # the JSON Pointer of a path


class Missing:
    """The entry of a column of results for an object without the field."""


MISSING = Missing()
REQUIRED_FIELD = "present: the field is required"


@dataclass(frozen=True)
class Fault:
    """One fault; `value` is None if the pointer has no value, and shortened if it is long."""

    pointer: str
    value: Shown
    expected: str

    def as_dict(self) -> dict[str, Shown]:
        return asdict(self)


class FaultyDocument(Exception):
    """The whole document is refused. `faults` has at most 1,000 faults; the message names the first."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = faults[:MOST_LISTED]
        super().__init__(f"Not stored: {_sentence(faults[0])}{_and_more(len(faults) - 1)}.")


def pointer(*parts: str | int) -> str:
    """RFC 6901: `pointer("results", 3, "a/b")` is `/results/3/a~1b`."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def with_values(faults: Iterable[Fault], raw: object) -> list[Fault]:
    """The faults with the values that are at their pointers; None if there is none."""
    return [replace(fault, value=shown(_value_at(raw, fault.pointer))) for fault in faults]


def _value_at(raw: object, pointer: str) -> object:
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        try:
            raw = _inner(raw, int(name) if isinstance(raw, list) else name)
        except LookupError:
            return None
    return raw


def _inner(value: object, key: str | int) -> object:
    """The value under a name or an index. Raises LookupError if there is none."""
    if isinstance(value, dict):
        return value[key]
    if isinstance(value, list) and isinstance(key, int):
        return value[key]
    raise LookupError(key)


def _sentence(fault: Fault) -> str:
    place = f"`{fault.pointer.removeprefix('/')}`" if fault.pointer else "the document"
    if fault.value is None:
        return f"{place} should be {fault.expected}"
    return f"{place} is {json.dumps(fault.value, ensure_ascii=False)}; expected {fault.expected}"


def _and_more(count: int) -> str:
    if count >= MOST_LISTED:
        return ", and very many more faults"
    return f", and {count} more fault{'s' if count > 1 else ''}" if count else ""


def shown(value: object) -> Shown:
    """The faulty value, short enough for an answer and always valid JSON (NaN and infinities become text)."""
    if isinstance(value, float) and not (abs(value) < float("inf")):
        return repr(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        value = value.encode(errors="backslashreplace").decode()  # an answer holds no lone surrogate
        return value if len(value) <= LONGEST_SHOWN else value[:LONGEST_SHOWN] + "…"
    if isinstance(value, dict | list):
        return f"<{'dict' if isinstance(value, dict) else 'list'} of {len(value)}>"
    return f"<{type(value).__name__}>"


def from_pydantic(error: ValidationError, raw: object, schema: str, locate: Locate) -> list[Fault]:
    """Pydantic's errors as faults; the errors of several union members about one place become one fault."""
    by_pointer: dict[str, tuple[Shown, list[str]]] = {}
    for item in error.errors(include_url=False, include_context=False):
        missing = item["type"] == "missing" or item["input"] is MISSING
        path, value = _path(item["loc"], raw, missing=missing)
        expectations = by_pointer.setdefault(locate(path), (None if missing else shown(value), []))[1]
        message = _expected("missing" if missing else item["type"], item["msg"], schema)
        if message not in expectations:
            expectations.append(message)
    return [Fault(path, value, "; or ".join(messages)) for path, (value, messages) in by_pointer.items()]


# Replacements for messages of pydantic that are about Python, not about the document.
_WORDS = {
    "missing": REQUIRED_FIELD,
    "model_type": "an object",
    "dict_type": "an object",
}


def _expected(kind: str, message: str, schema: str) -> str:
    if kind == "extra_forbidden":
        where = "; put what it does not know under /extra" if schema.startswith("benchdb.run/") else ""
        return f"no such field in {schema}{where}"
    if kind == "string_pattern_mismatch" and OF_NAMES in message:
        return OF_NAMES_IN_WORDS
    return _WORDS.get(kind) or message.removeprefix("Input should be ").removeprefix("Value error, ")


def _path(loc: JsonPath, raw: object, *, missing: bool) -> tuple[JsonPath, object]:
    """The path and the value of pydantic's location, which also contains names of union members."""
    path: list[str | int] = []
    value = raw
    for index, part in enumerate(loc):
        try:
            value = _inner(value, part)
        except LookupError:
            if missing and index == len(loc) - 1:
                return (*path, part), None
            continue  # a union member's name
        path.append(part)
    return tuple(path), value
