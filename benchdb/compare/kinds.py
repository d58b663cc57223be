"""The kinds of comparison. To add one, write its folder with a `kind.py`, and name it here."""

from __future__ import annotations

from typing import Any

from .content import Content
from .kind import ComparisonKind
from .response.kind import RESPONSE
from .surface.kind import SURFACE
from .table.kind import TABLE
from .trend.kind import TREND

# A function that takes a content of any kind gets the functions of this kind from here.
AnyKind = ComparisonKind[Any]

KINDS: dict[str, AnyKind] = {kind.name: kind for kind in (TABLE, SURFACE, TREND, RESPONSE)}


def name_of_schema(schema: str) -> str:
    """`table`, `surface`, `trend` or `response`, from the schema of a content (`benchdb.table/3`)."""
    return schema.partition("/")[0].removeprefix("benchdb.")


def kind_of(content: Content) -> AnyKind:
    """The kind of a content, live or frozen. Raises KeyError for an unknown schema."""
    return KINDS[name_of_schema(content.schema)]
