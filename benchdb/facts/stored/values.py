"""Values that several JSON columns have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

Scalar = str | int | float | bool | None
Parameters = Mapping[str, Scalar | list[Scalar]]
Provenances = Mapping[str, str]  # JSON Pointer of a fact → detected, declared, published, inferred, unknown


class StoredContradiction(TypedDict):
    fact: str
    detected: Scalar
    declared: Scalar
    kept: str
