"""Small bodies that were expensive to check: many short strings, and facts with very many values."""

import sys
import tracemalloc
from collections.abc import Callable
from functools import reduce
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from benchdb.ingest.contract import json_text, marks, validate, validate_campaign
from benchdb.ingest.contract.amounts import LONGEST, MOST_CHARACTERS, MOST_FACTS, MOST_OF_CAMPAIGN, too_large_parts
from benchdb.ingest.contract.faults import MOST_LISTED, Fault, FaultyDocument
from benchdb.ingest.contract.json_text import parse
from benchdb.ingest.contract.storable_text import check_text
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


@pytest.mark.parametrize("place", LONGEST, ids="/".join)
def test_texts_that_lists_print_whole_are_bounded_together(place: tuple[str, ...]) -> None:
    """A run whose command had 14 million characters made its page 80 MB, and lists as large for everybody."""
    most = LONGEST[place]

    def faults_with(characters: int) -> list[Fault]:
        part: dict[str, object] = {"a": ["x" * (characters - 2), "y"]}
        return [*too_large_parts(reduce(lambda inner, name: {name: inner}, reversed(place), part))]

    [fault] = faults_with(most + 1)
    assert (fault.pointer, fault.expected) == (f"/{'/'.join(place)}", f"at most {most:,} characters together")
    assert not faults_with(most)


def test_a_part_without_a_bound_of_its_own_has_the_common_one() -> None:
    """24 runs with 110 MB in /target/extra, 480 kB sent, made lists take 4.8 GB."""
    parts = {"environment": {"cpu": {"model": "x" * MOST_CHARACTERS}}, "target": {"mount": {}}}

    [fault] = too_large_parts(parts)
    assert (fault.pointer, fault.expected) == ("/environment", "at most 1,000,000 characters together")


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
        patch.setattr(marks, "_PIECE", piece)
        assert marks.marks_outside_strings(body) == commas + len("[[{{")


def names(count: int) -> bytes:
    return b",".join(b'"n%d":[]' % number for number in range(count))


def placed(place: str, content: bytes) -> bytes:
    """A document with this JSON as one of its parts."""
    return encoded({**document(), place: "HERE"}).replace(b'"HERE"', content)


MEASURED = b'"test":"write","metric":"throughput","unit":"B/s"'
RESULT = b"{" + MEASURED + b',"values":[1,2,3],%b}'
# Documents with so many faults, in one object or in many.
FAULTY: dict[str, Callable[[int], bytes]] = {
    "fields of a document": lambda n: placed("extra", b"{}," + names(n)),
    "fields of a round": lambda n: placed("rounds", b"[{" + names(n) + b"}]"),
    "fields of many rounds": lambda n: placed("rounds", b"[" + b",".join([b"{" + names(10) + b"}"] * (n // 10)) + b"]"),
    "noise of a round": lambda n: placed("rounds", b'[{"evidence":{"noise":{' + names(n) + b"}}}]"),
    "many rounds": lambda n: placed("rounds", b"[" + b",".join([b"1"] * n) + b"]"),
    "many artifacts": lambda n: placed("artifacts", b"[" + b",".join([b"{}"] * n) + b"]"),
    "columns": lambda n: placed("results", b"{" + names(n) + b"}"),
    "entries of columns": lambda n: placed(
        "results",
        b'{"test":[%b],"metric":[%b],"unit":[%b],"status":[%b],"values":[],"offsets":[0%b]}'
        % (*[b",".join([b"1"] * n)] * 4, b",0" * n),
    ),
    "fields of a result": lambda n: placed("results", b"[" + RESULT % names(n) + b"]"),
    "fields of many results": lambda n: placed("results", b"[" + b",".join([RESULT % names(10)] * (n // 10)) + b"]"),
    "params of a result": lambda n: placed("results", b"[" + RESULT % (b'"params":{' + names(n) + b"}") + b"]"),
    "source of a result": lambda n: placed("results", b"[" + RESULT % (b'"source":{' + names(n) + b"}") + b"]"),
    "artifacts of results": lambda n: placed(
        "results",
        b"["
        + b",".join(
            RESULT % b'"file_size":%d,"source":{"artifacts":["a%d",null,null],"lines":[1,null,null]}' % (i, i)
            for i in range(1, n)
        )
        + b"]",
    ),
}


def faults_made_of(body: bytes, check: Callable[[bytes], object]) -> int:
    """The number of faults that are made of a refused body, listed or not."""
    errors: dict[int, object] = {}
    made = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal made
        if event == "call":
            made += frame.f_code is Fault.__init__.__code__
        elif event == "c_call" and isinstance(error := getattr(argument, "__self__", None), ValidationError):
            made += 0 if id(error) in errors else error.error_count()
            errors[id(error)] = error

    sys.setprofile(count)
    try:
        with pytest.raises(FaultyDocument):
            check(body)
    finally:
        sys.setprofile(None)
    return made


@pytest.mark.parametrize("case", FAULTY)
def test_the_faults_that_are_made_are_bounded(case: str) -> None:
    """1.9 million unknown fields took 6 to 9 s after the parser, and 100,000 wrong names of artifacts a minute."""
    few, many = (faults_made_of(FAULTY[case](count), validate) for count in (5_000, 20_000))

    assert few == many < 5 * MOST_LISTED


def test_a_campaign_with_very_many_values_is_refused_before_each_is_checked() -> None:
    assert faults_made_of(b"{" + b'"points":[{' + names(MOST_OF_CAMPAIGN) + b"}]}", validate_campaign) == 1


NAMES = {place: FAULTY[place] for place in ("fields of a document", "fields of a round", "noise of a round")} | {
    place: lambda n, place=place: placed(place, b"{" + names(n) + b"}")  # type: ignore[misc]
    for place in ("labels", "environment", "extra")
}


@pytest.mark.parametrize("place", NAMES)
def test_names_are_counted_before_any_is_built(place: str) -> None:
    """1.9 million names of labels took 1 s of processor time and 150 MB, before they were refused."""
    body = NAMES[place](3 * MOST_FACTS)
    tracemalloc.start()
    with pytest.raises(FaultyDocument):
        validate(body)
    assert tracemalloc.get_traced_memory()[1] < 40 * marks._PIECE  # the names alone take more
    tracemalloc.stop()
