"""The exports of all kinds of comparison: `EXPORTED` of the module that is named like the kind."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from benchdb.compare.content import Content
from benchdb.compare.kinds import KINDS, name_of_schema

from .kind import ExportedKind

# A function that takes a content of any kind gets the functions of this kind from here.
AnyExportedKind = ExportedKind[Any]

EXPORTED_KINDS: dict[str, AnyExportedKind] = {name: import_module(f"{__package__}.{name}").EXPORTED for name in KINDS}


def exported_kind(content: Content) -> AnyExportedKind:
    """How a content, live or frozen, is exported. Raises KeyError for an unknown kind."""
    return EXPORTED_KINDS[name_of_schema(content.schema)]
