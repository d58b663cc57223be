"""Small bodies that were expensive to check: many short strings, and facts with very many values."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdb.ingest.contract import json_text, validate
from benchdb.ingest.contract.faults import FaultyDocument
from benchdb.ingest.contract.json_text import parse
from benchdb.ingest.contract.storable_text import check_text
from benchdb.ingest.contract.validate import MOST_FACTS
from tests.support.documents import document, encoded
from tests.support.faults import faults_of

MANY = 1_000_000


def calls_of(do: Callable[[], object]) -> int:
    """The number of calls of functions, those of extension modules included."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        do()
    finally:
        sys.setprofile(None)
    return calls


def with_extra(extra: bytes) -> bytes:
    return encoded(document()).replace(b'"extra": {}', b'"extra": ' + extra)


def test_short_strings_take_no_step_each() -> None:
    """29 kB of gzip took 12 s: NumPy was called three times for each of two million strings."""
    body = b'{"a":[' + b",".join([b'",,"'] * MANY) + b"]}"

    assert calls_of(lambda: parse(body)) < 1000


@pytest.mark.parametrize("inner", [b"0", b"[]", b'{"b":1}', b'""'])
def test_facts_with_very_many_values_are_refused_before_each_is_checked(inner: bytes) -> None:
    body = with_extra(b'{"a":[' + b",".join([inner] * MOST_FACTS) + b"]}")

    def refused() -> None:
        with pytest.raises(FaultyDocument):
            validate(body)

    [fault] = faults_of(body)
    assert (fault.pointer, fault.expected) == ("/extra", "at most 100,000 values")
    assert calls_of(refused) < MOST_FACTS * 5


def test_facts_with_as_many_values_as_they_may_have_are_stored() -> None:
    body = with_extra(b'{"a":[' + b",".join([b"0"] * (MOST_FACTS - 1)) + b"]}")

    assert validate(body).frame.extra["a"] == [0] * (MOST_FACTS - 1)


def test_a_check_of_each_value_holds_no_path_of_each() -> None:
    raw: dict[str, object] = {"extra": {"a": [0] * MANY}}
    tracemalloc.start()
    try:
        assert not list(check_text(raw))
        assert tracemalloc.get_traced_memory()[1] < MANY  # bytes
    finally:
        tracemalloc.stop()


@given(st.lists(st.text('a,[{"\\', max_size=6), max_size=8), st.integers(1, 9))
def test_marks_in_strings_do_not_count_wherever_a_piece_ends(texts: list[str], piece: int) -> None:
    body = json_text.canonical_json({"a": [list(texts), {}]})
    commas = max(0, len(texts) - 1) + 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_text, "_PIECE", piece)
        assert json_text._marks_outside_strings(body) == commas + len("[[{{")
