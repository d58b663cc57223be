"""The processor time that a file may take to read."""

import gzip
import os
import signal
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from benchdb.http.work import accounted, begin, pays
from benchdb.ingest.imports import background, budget, services
from benchdb.ingest.imports.budget import Killed, OverBudget, within
from benchdb.ingest.imports.reading import Read, UnreadableFile
from benchdb.ingest.imports.unpack import GivenFile, RefusedFiles
from benchdb.ingest.models import FileState


def spin() -> None:
    while True:
        pass


MUCH = bytes(budget.FILE_BYTES + 1)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        *(
            (spin, OverBudget),
            (signal.pause, OverBudget),
            (lambda: Path(tempfile.mkdtemp(), "x").write_bytes(MUCH), OSError),
            (lambda: {}[1], KeyError),
        ),
        *((lambda: os.kill(os.getpid(), signal.SIGKILL), Killed), (lambda: bytes(2 * budget.MEMORY), MemoryError)),
    ],
)
def test_a_call_that_does_not_end_well(
    call: Callable[[], object], error: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It leaves nothing behind."""
    monkeypatch.setattr(budget, "WALL", 1)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(error):
        within(1, lambda: (Path(tempfile.mkdtemp(), "copy").touch(), call()))
    assert not [*tmp_path.iterdir()]


def test_unpacking_has_a_budget_which_the_request_pays(
    owner: User, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.setattr(services, "unpack", lambda given: spin())
    monkeypatch.setattr(services, "UNPACK_SECONDS", 1)
    settings.WORK_RATE = "1/d"
    with accounted():
        pays("account of the budget")
        with pytest.raises(RefusedFiles, match="Unpacking takes more time"):
            services.begin(owner, [GivenFile("a.gz", gzip.compress(b"text"))])
    request = begin()
    pays("account of the budget")
    request.end()
    assert request.share > 0.5


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
