"""`manage.py source` adds, lists, reads and removes sources, and says what is wrong with faulty ones."""

from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError

from benchdb.federation.models import Source
from benchdb.federation.tasks import read_source, read_sources
from benchdb.runs.models import Run
from tests.federation.conftest import OtherServer


def source_command(*arguments: str) -> str:
    out = StringIO()
    call_command("source", *arguments, stdout=out)
    return out.getvalue()


def test_a_source_is_added_read_listed_and_removed(owner: User, other: OtherServer) -> None:
    run_id, refused = other.add(), other.add()
    other.documents[str(refused)] = b"[]"

    assert "is read from now on" in source_command("add", "lab", other.address + "/", "ada")
    assert "2 changes followed, 1 runs refused" in source_command("read", "lab")
    listed = source_command("list")
    assert f"lab: {other.address}, for ada, read 2" in listed
    assert f"refused: {refused}" in listed

    other.documents[str(refused)] = other.documents[str(run_id)].replace(str(run_id).encode(), str(refused).encode())
    assert "2 changes followed, 0 runs refused" in source_command("read", "lab", "--again")

    source_command("remove", "lab")
    assert not Source.objects.exists()
    assert Run.objects.count() == 2


@pytest.mark.parametrize(
    ("name", "address", "why"),
    [
        ("lab", "http://bench.example.org", "https://"),
        ("lab", "https://user@bench.example.org", "https://"),
        ("lab", "https://bench.example.org:x", "https://"),
        ("lab", "ftp://bench.example.org", "https://"),
        ("<b>", "https://bench.example.org", "letters"),
        ("", "bench", "letters"),
    ],
)
def test_a_faulty_source_is_refused(owner: User, name: str, address: str, why: str) -> None:
    with pytest.raises(CommandError, match=why):
        source_command("add", name, address, "ada")


def test_what_is_not_there_is_named(owner: User, source: Source, other: OtherServer) -> None:
    with pytest.raises(CommandError, match="no user 'eve'"):
        source_command("add", "x", other.address, "eve")
    with pytest.raises(CommandError, match="already"):
        source_command("add", "lab", "https://bench.example.org", "ada")
    with pytest.raises(CommandError, match="no source 'x'"):
        source_command("read", "x")


def test_a_source_that_does_not_answer_is_an_error(owner: User) -> None:
    source_command("add", "away", "http://127.0.0.1:1", "ada")
    with pytest.raises(CommandError, match="does not answer"):
        source_command("read", "away")
    assert "does not answer" in source_command("list")


def test_the_task_of_the_sweep_reads_each_source(source: Source, other: OtherServer) -> None:
    other.add()
    assert read_sources() == 1
    assert read_source(source.pk) == 1
    assert read_source(0) == 0
