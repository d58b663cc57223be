"""The text of a document: escapes, repeated names, numbers of any size, and values that cannot be stored."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchdb.ingest.contract import validate
from benchdb.ingest.contract.json_text import Repeated, parse
from tests.support.documents import document, encoded
from tests.support.faults import faults_of, places_of
from tests.support.mutations import values

RUN = document()["run_id"]
EMOJI = document(labels={"plan": "\N{ROCKET} größer"})


def test_escapes_and_spaces_do_not_change_the_digest() -> None:
    escaped, plain = encoded(EMOJI), json.dumps(EMOJI, ensure_ascii=False, indent=1).encode()

    assert b"\\ud83d" in escaped
    assert validate(escaped).digest == validate(plain).digest


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
def test_a_value_that_cannot_be_stored_is_listed(extra: str, pointer: str) -> None:
    body = encoded(document()).replace(b'"extra": {}', b'"extra": ' + extra.encode())

    assert pointer in places_of(body)


def test_a_repeated_name_inside_the_results_is_listed() -> None:
    body = encoded(document()).replace(b'"test": "write"', b'"test": "write", "params": {}, "params": {}')

    [fault] = faults_of(body)
    assert (fault.pointer, fault.expected) == ("/results/0/params", "a name that occurs once in its object")


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.text(max_size=5), values, max_size=3))
def test_both_parsers_read_the_same(extra: dict[str, object]) -> None:
    """The quick parser gives up, or reads what Python's parser reads."""
    body = json.dumps({"extra": extra}).encode()

    raw = parse(body)

    assert repr(raw) == repr(json.loads(body))
    assert not isinstance(raw, Repeated)


@pytest.mark.parametrize(("number", "same"), [("1e18", "1000000000000000000.0"), ("0.00001", "1e-05"), ("2", "2")])
def test_another_notation_of_a_number_makes_no_other_document(number: str, same: str) -> None:
    one, other = (
        encoded(document(run_id=RUN)).replace(b'"extra": {}', b'"extra": {"a": %s}' % text.encode())
        for text in (number, same)
    )

    assert validate(one).digest == validate(other).digest


def test_whole_numbers_are_exact() -> None:
    extra = {"most": 2**63 - 1, "least": 1 - 2**63}

    assert validate(encoded(document(extra=extra))).frame.extra == extra
