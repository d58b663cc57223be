"""What is wrong with a document: each fault with its place (RFC 6901), the value there and what was expected."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from pydantic import ValidationError

LONGEST_SHOWN = 200
MOST_LISTED = 1000


@dataclass(frozen=True)
class Fault:
    """One fault; `value` is None where nothing stands at the pointer, and shortened where it is long."""

    pointer: str
    value: Any
    expected: str

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class FaultyDocument(Exception):
    """The document is refused whole. `faults` lists the faults, 1,000 at most; the text names the first."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = faults[:MOST_LISTED]
        super().__init__(f"Not stored: {_sentence(faults[0])}{_and_more(len(faults) - 1)}.")


def pointer(*parts: str | int) -> str:
    """RFC 6901: `pointer("results", 3, "a/b")` is `/results/3/a~1b`."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def _sentence(fault: Fault) -> str:
    place = f"`{fault.pointer.removeprefix('/')}`" if fault.pointer else "the document"
    if fault.value is None:
        return f"{place} should be {fault.expected}"
    return f"{place} is {json.dumps(fault.value, ensure_ascii=False)}; expected {fault.expected}"


def _and_more(count: int) -> str:
    if count >= MOST_LISTED:
        return ", and very many more faults"
    return f", and {count} more fault{'s' if count > 1 else ''}" if count else ""


def shown(value: Any) -> Any:
    """The offending value, short enough for an answer and always valid JSON (NaN and infinities become text)."""
    if isinstance(value, float) and not (abs(value) < float("inf")):
        return repr(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        value = value.encode(errors="backslashreplace").decode()  # an answer holds no lone surrogate
        return value if len(value) <= LONGEST_SHOWN else value[:LONGEST_SHOWN] + "…"
    size = f" of {len(value)}" if isinstance(value, dict | list) else ""
    return f"<{type(value).__name__}{size}>"


def from_pydantic(error: ValidationError, raw: Any, schema: str) -> list[Fault]:
    """Pydantic's errors as faults; what several members of one union say about one place becomes one fault."""
    found: dict[str, tuple[Any, list[str]]] = {}
    for item in error.errors(include_url=False, include_context=False):
        place, value = _locate(item["loc"], raw, missing=item["type"] == "missing")
        expectations = found.setdefault(place, (shown(value), []))[1]
        message = _expected(item["type"], item["msg"], schema)
        if message not in expectations:
            expectations.append(message)
    return [Fault(place, value, "; or ".join(messages)) for place, (value, messages) in found.items()]


# Where pydantic's own words are about Python, not about the document.
_WORDS = {
    "missing": "present: the field is required",
    "model_type": "an object",
    "dict_type": "an object",
}


def _expected(kind: str, message: str, schema: str) -> str:
    if kind == "extra_forbidden":
        where = "; put what it does not know under /extra" if schema.startswith("benchdb.run/") else ""
        return f"no such field in {schema}{where}"
    return _WORDS.get(kind) or message.removeprefix("Input should be ").removeprefix("Value error, ")


def _locate(loc: tuple[int | str, ...], raw: Any, *, missing: bool) -> tuple[str, Any]:
    """Follow pydantic's location in the raw document, leaving out the names of union members that it mixes in."""
    place: list[str | int] = []
    here = raw
    for index, part in enumerate(loc):
        try:
            here = here[part]
        except (KeyError, IndexError, TypeError):
            if missing and index == len(loc) - 1:
                return pointer(*place, part), None
            continue  # a union member's name
        place.append(part)
    return pointer(*place), here
