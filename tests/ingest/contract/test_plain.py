"""A whole document is checked in one pass, with the same result as the slower check."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchdb.ingest.contract import FaultyDocument, validate
from benchdb.ingest.contract.json_text import parse_plain
from benchdb.ingest.contract.validate import _carefully
from tests.support.documents import document, encoded, iozone_document
from tests.support.mutations import mutated

RUN = document()["run_id"]
EMOJI = document(labels={"plan": "\N{ROCKET} größer"})


@pytest.mark.parametrize(
    "body", [encoded(document()), encoded(iozone_document()), json.dumps(document(), indent=2).encode()]
)
def test_a_whole_document_takes_the_quick_way(body: bytes) -> None:
    assert parse_plain(body) is not None
    assert validate(body)


def test_escapes_and_spaces_change_neither_document_nor_digest() -> None:
    escaped, plain = encoded(EMOJI), json.dumps(EMOJI, ensure_ascii=False, indent=1).encode()

    assert parse_plain(escaped) is None  # the slower check handles escaped surrogates one by one
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


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_what_passes_passes_the_careful_way_too_and_is_the_same(data: st.DataObject) -> None:
    body = json.dumps(data.draw(mutated(document()))).encode()
    try:
        checked = validate(body)
    except FaultyDocument:
        return

    assert checked == _carefully(body, None)


@pytest.mark.parametrize(("number", "same"), [("1e20", "100000000000000000000.0"), ("0.00001", "1e-05"), ("2", "2")])
def test_how_a_number_is_written_makes_no_other_document(number: str, same: str) -> None:
    one, other = (
        encoded(document(run_id=RUN)).replace(b'"extra": {}', b'"extra": {"a": %s}' % text.encode())
        for text in (number, same)
    )

    assert validate(one)[1] == validate(other)[1]


def test_whole_numbers_of_any_size_stay_what_they_are() -> None:
    body = encoded(document(extra={"huge": 10**30, "large": 2**64 - 1}))

    assert validate(body)[0].extra == {"huge": 10**30, "large": 2**64 - 1}
    assert parse_plain(body) is None
