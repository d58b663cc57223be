"""`manage.py recompute` makes the workers recompute everything, and reports their progress."""

from collections.abc import Iterator
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from pytest_django.fixtures import Settings

from benchdb.celery import app
from benchdb.runs.management import follow as following
from benchdb.runs.management.follow import follow
from benchdb.runs.models import RunState, State
from benchdb.runs.store.recomputation import progress
from benchdb.stats import STATISTICS_VERSION
from tests.support.store import computed_before, store_run


@pytest.fixture
def at_once() -> Iterator[None]:
    """Run tasks when their messages are sent, as if by a very fast worker."""
    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = False


def command(*arguments: str) -> tuple[str, str]:
    """The command's output, and its progress messages."""
    out, err = StringIO(), StringIO()
    call_command("recompute", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_where_nothing_is_left_it_says_so(owner: User) -> None:
    store_run(owner)

    assert command("--wait") == (f"All 1 runs have statistics version {STATISTICS_VERSION}.\n", "")


def test_it_leaves_the_work_to_the_workers(owner: User) -> None:
    computed_before([store_run(owner), store_run(owner)])

    out, _ = command()

    assert out.startswith(f"2 runs have older statistics than version {STATISTICS_VERSION}. The workers compute them;")
    assert progress() is not None


@pytest.mark.usefixtures("at_once")
def test_it_waits_until_all_is_done(owner: User) -> None:
    computed_before([store_run(owner), store_run(owner)])

    out, err = command("--wait")

    assert out == f"2 runs were brought to statistics version {STATISTICS_VERSION}.\n"
    assert err == "0 of 2 runs done.\n"
    assert progress() is None


@pytest.mark.usefixtures("at_once")
def test_it_says_how_many_failed(owner: User) -> None:
    computed_before([store_run(owner)])
    RunState.objects.filter(pk=store_run(owner).pk).update(state=State.FAILED)

    assert command("--wait")[0].endswith("Of all runs, 1 have statistics that failed; their pages say why.\n")


def test_what_does_not_move_is_said_and_sent_again(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    monkeypatch.setattr(following, "PATIENCE", 0.3)
    monkeypatch.setattr(following, "REPORT_PERIOD", 0.1)
    settings.SWEEP_SECONDS = 0.2
    lines: list[str] = []
    sent: list[int] = []

    def left() -> int:
        stuck = any("is a worker running?" in line for line in lines) and len(sent) > 2
        return 0 if stuck else 5

    follow(lambda: sent.append(1), left, lines.append)

    assert lines[0] == "0 of 5 runs done."
