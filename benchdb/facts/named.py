"""Values of dimensions that are ids, with the words that people read in their place."""

from __future__ import annotations

from typing import Self


class Named(str):
    """An id, equal to every other string with the same characters; `parts` name it, `exact` tells equal names apart."""

    __slots__ = ("exact", "parts")
    parts: tuple[str, ...]
    exact: str

    @classmethod
    def of(cls, identity: object, parts: tuple[str, ...], exact: str) -> Self:
        """The value with this identity."""
        value = cls(identity)
        value.parts = parts
        value.exact = exact
        return value

    @property
    def name(self) -> str:
        """All parts of the name."""
        return " · ".join(self.parts)


def without_common_parts(values: list[Named]) -> dict[str, str]:
    """The name of each value without the parts that all names have; the whole name if nothing else is left."""
    common = set.intersection(*(set(value.parts) for value in values)) if len(values) > 1 else set()
    return {value: " · ".join(part for part in value.parts if part not in common) or value.name for value in values}
