"""Randomly changed documents: accepted, or refused with faults whose pointers work."""

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import find, given, settings
from hypothesis import strategies as st

from benchdb.ingest.contract.faults import Fault, shown
from tests.support.documents import document
from tests.support.faults import refusal
from tests.support.mutations import mutated, walk


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_every_pointer_leads_to_the_value_it_names(data: st.DataObject) -> None:
    sent = data.draw(mutated(document()))

    for fault in _faults_of(sent):
        json.dumps(fault.as_dict(), allow_nan=False)
        assert fault.expected
        assert fault.value == shown(_look_up(sent, fault.pointer))


def test_some_changed_documents_are_refused() -> None:
    """Ensure that the test above has cases."""
    assert find(mutated(document()), lambda sent: bool(_faults_of(sent)))


def _faults_of(sent: dict[str, Any]) -> Sequence[Fault]:
    refused = refusal(json.dumps(sent).encode())
    return refused.faults if refused else []


@settings(max_examples=200, deadline=None)
@given(st.binary())
def test_any_bytes_are_refused_and_nothing_else_happens(body: bytes) -> None:
    refused = refusal(body)

    assert refused is not None
    assert len(refused.faults) == 1


def _look_up(document: Any, pointer: str) -> Any:
    """The value at the pointer (RFC 6901, section 4); None if only the object around it exists."""
    here, parts = document, [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    for part in parts[:-1]:
        here = here[int(part)] if isinstance(here, list) else here[part]
    if not parts:
        return document
    return here[int(parts[-1])] if isinstance(here, list) else here.get(parts[-1])


def test_the_walk_reaches_every_place() -> None:
    assert walk({"a": [1, {"b": None}]}) == [("a",), ("a", 0), ("a", 1), ("a", 1, "b")]
