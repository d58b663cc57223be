"""A whole document is checked in one pass, and gives what the careful way gives."""

from __future__ import annotations

import json

import pytest

from benchdb.ingest.contract import FaultyDocument, validate
from benchdb.ingest.contract.parse import parse_plain
from tests.support.documents import document, encoded, iozone_document

EMOJI = document(labels={"plan": "\N{ROCKET} größer"})


@pytest.mark.parametrize(
    "body", [encoded(document()), encoded(iozone_document()), json.dumps(document(), indent=2).encode()]
)
def test_a_whole_document_takes_the_quick_way(body: bytes) -> None:
    assert parse_plain(body) is not None
    assert validate(body)


def test_escapes_and_spaces_change_neither_document_nor_digest() -> None:
    escaped, plain = encoded(EMOJI), json.dumps(EMOJI, ensure_ascii=False, indent=1).encode()

    assert parse_plain(escaped) is None  # half characters are looked at one by one
    assert parse_plain(plain) is not None
    assert validate(escaped) == validate(plain)


@pytest.mark.parametrize(
    ("extra", "pointer"),
    [
        ('{"a": 1, "a": 1}', "/extra/a"),
        ('{"a": 1, "\\u0061": {"b": 2}}', "/extra/a"),
        ('{"a": {"b": 1}, "c": "\\u003a", "a": 1}', "/extra/a"),
        ('{"a": 1e999}', "/extra/a"),
        ('{"a": NaN}', "/extra/a"),
        ('{"a": "\\u0000"}', "/extra/a"),
        ('{"a": "\\ud83d"}', "/extra/a"),
        ("[" * 40 + "]" * 40, "/extra"),
        ('{"a": ' + "[" * 40 + "]" * 40 + "}", "/extra/a" + "/0" * 30),
    ],
)
def test_what_cannot_be_stored_is_found_with_its_place(extra: str, pointer: str) -> None:
    body = encoded(document()).replace(b'"extra": {}', b'"extra": ' + extra.encode())

    with pytest.raises(FaultyDocument) as refused:
        validate(body)

    assert pointer in [fault.pointer for fault in refused.value.faults]
