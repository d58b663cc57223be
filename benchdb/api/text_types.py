"""Types of texts in request bodies that the database can store."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, StringConstraints

from benchdb.ingest.contract.storable_text import storable
from benchdb.wording.names import OF_NAMES_IN_WORDS, is_name


def _storable(value: str) -> str:
    if not storable(value):
        raise ValueError("text without NUL and lone surrogates")
    return value


def _named(value: str) -> str:
    if not is_name(value):
        raise ValueError(OF_NAMES_IN_WORDS)
    return _storable(value)


_Short = StringConstraints(min_length=1, max_length=200)
ShortText = Annotated[str, _Short, AfterValidator(_storable)]
NameText = Annotated[str, _Short, AfterValidator(_named)]
Words = Annotated[str, StringConstraints(max_length=4096), AfterValidator(_storable)]
BodyText = Annotated[str, StringConstraints(max_length=1_000_000), AfterValidator(_storable)]
