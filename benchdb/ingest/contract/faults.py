"""What is wrong with a document: each fault with its place (RFC 6901), the value there and what was expected."""

from __future__ import annotations

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
    """The document is refused whole. `faults` lists the first 1,000 faults, `count` counts all."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = faults[:MOST_LISTED]
        self.count = len(faults)
        super().__init__(f"{self.count} fault{'s' if self.count != 1 else ''}")


def pointer(*parts: str | int) -> str:
    """RFC 6901: `pointer("results", 3, "a/b")` is `/results/3/a~1b`."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def shown(value: Any) -> Any:
    """The offending value, short enough for an answer and always valid JSON (NaN and infinities become text)."""
    if isinstance(value, float) and not (abs(value) < float("inf")):
        return repr(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return value if len(value) <= LONGEST_SHOWN else value[:LONGEST_SHOWN] + "…"
    size = f" of {len(value)}" if isinstance(value, dict | list) else ""
    return f"<{type(value).__name__}{size}>"


def from_pydantic(error: ValidationError, raw: Any) -> list[Fault]:
    """Pydantic's errors as faults; what several members of one union say about one place becomes one fault."""
    found: dict[str, tuple[Any, list[str]]] = {}
    for item in error.errors(include_url=False, include_context=False):
        place, value = _locate(item["loc"], raw, missing=item["type"] == "missing")
        expectations = found.setdefault(place, (shown(value), []))[1]
        message = _expected(item["type"], item["msg"])
        if message not in expectations:
            expectations.append(message)
    return [Fault(place, value, "; or ".join(messages)) for place, (value, messages) in found.items()]


def _expected(kind: str, message: str) -> str:
    if kind == "extra_forbidden":
        return "no such field in benchdb.run/1; put what it does not know under /extra"
    if kind == "missing":
        return "a value (null where it is unknown); the field is required"
    return message.removeprefix("Input should be ").removeprefix("Value error, ")


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
