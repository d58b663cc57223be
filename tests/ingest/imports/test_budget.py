"""The processor time that a file may take to read."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from benchdb.ingest.imports import background, services
from benchdb.ingest.imports.budget import Killed, OverBudget, within
from benchdb.ingest.imports.reading import Read, UnreadableFile
from benchdb.ingest.imports.request_files import GivenFile
from benchdb.ingest.models import FileState


def spin() -> None:
    while True:
        pass


@pytest.mark.parametrize(
    ("call", "error"),
    [(spin, OverBudget), (lambda: os.kill(os.getpid(), signal.SIGKILL), Killed), (lambda: {}[1], KeyError)],
)
def test_a_call_that_does_not_end_well(call: Callable[[], object], error: type[Exception]) -> None:
    with pytest.raises(error):
        within(1, call)


def test_a_value_of_many_bytes_and_an_error_with_its_place() -> None:
    def refuse() -> None:
        raise UnreadableFile("no", 3, 4)

    assert within(1, lambda: b"x" * 10**6) == b"x" * 10**6
    with pytest.raises(UnreadableFile) as refused:
        within(1, refuse)
    assert (refused.value.line, refused.value.column) == (3, 4)


def test_a_file_over_its_budget_is_refused_and_the_next_is_read(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_slowly(content: bytes, *known: object, **stated: object) -> Read:
        return spin() if content == b"slow" else reading(content, *known, **stated)  # type: ignore[return-value, arg-type]

    reading = background.read
    monkeypatch.setattr(background, "read", read_slowly)
    monkeypatch.setattr(background, "LEAST_SECONDS", 1)
    draft = services.begin(owner, [GivenFile("slow.txt", b"slow"), GivenFile("b.txt", b"real 1.5\nuser 1\nsys 0.5\n")])

    background.read_files(draft.pk)

    assert dict(draft.files.values_list("name", "state")) == {"slow.txt": FileState.REFUSED, "b.txt": FileState.READ}
    assert draft.files.get(name="slow.txt").reason == "reading it took more than 1 seconds of a processor; split it"
