"""The sweeps that run one after another in one process, so that statistics keep the others."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from benchdb.celery import app, sweep_in_turn, turn


def test_every_scheduled_task_exists_and_none_runs_beside_itself(settings: Any) -> None:
    app.loader.import_default_modules()
    scheduled = [entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()] + [*settings.LONG_SWEEPS]
    assert len(scheduled) == len(set(scheduled).intersection(app.tasks))


def test_one_runs_at_a_time_and_a_defect_leaves_the_others_their_turn(
    owner: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty() -> int:
        with turn("mails") as mails_go_on:
            others.append((sweep_in_turn(), mails_go_on))
        raise ZeroDivisionError

    others = list[tuple[int, bool]]()
    monkeypatch.setitem(app.tasks, "faulty", faulty)
    settings.LONG_SWEEPS = ("faulty", "faulty", "faulty")
    for _ in range(2):  # after its end, the next one
        with pytest.raises(ExceptionGroup, match="sweeps"):
            sweep_in_turn()
    assert others == [(0, True)] * 6
