"""The sweeps that run one after another in one process, so that statistics keep the others."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from benchdb.celery import app, sweep_in_turn


def test_every_scheduled_task_exists_and_long_ones_do_not_run_beside_each_other(settings: Any) -> None:
    app.loader.import_default_modules()
    scheduled = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert scheduled.union(settings.LONG_SWEEPS) <= set(app.tasks)
    assert scheduled.isdisjoint(settings.LONG_SWEEPS)


def test_they_run_once_at_a_time_and_a_defect_of_one_leaves_the_others_their_turn(
    owner: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty() -> int:
        raise ValueError("of one sweep")

    others = []
    monkeypatch.setitem(app.tasks, "faulty", faulty)
    monkeypatch.setitem(app.tasks, "other", lambda: others.append(sweep_in_turn()) or 1)
    settings.LONG_SWEEPS = ("faulty", "other")
    for _ in range(8):  # in any order
        with pytest.raises(ExceptionGroup, match="sweeps"):
            sweep_in_turn()
    settings.LONG_SWEEPS = ("other", "other")
    assert (sweep_in_turn(), others) == (2, [0] * 10)
