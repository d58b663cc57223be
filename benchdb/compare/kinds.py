"""The kinds of comparison. To add one, write its folder with a `kind.py`, and name it here."""

from __future__ import annotations

from .content import Content
from .kind import ComparisonKind
from .surface.kind import SURFACE
from .table.kind import TABLE
from .trend.kind import TREND

KINDS: dict[str, ComparisonKind] = {kind.name: kind for kind in (TABLE, SURFACE, TREND)}


def name_of_kind(content: Content) -> str:
    """`table`, `surface` or `trend`: the schema of the content (`benchdb.table/2`) names its kind."""
    return str(content["schema"]).partition("/")[0].removeprefix("benchdb.")


def kind_of(content: Content) -> ComparisonKind:
    """The kind of a content, live or frozen. Raises KeyError for an unknown schema."""
    return KINDS[name_of_kind(content)]
