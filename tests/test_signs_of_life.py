"""When a worker counts as stuck."""

from benchdb.signs_of_life import TaskProgress


def test_a_worker_that_begins_nothing_while_messages_wait_is_stuck() -> None:
    progress = TaskProgress(longest_seconds=0)
    assert not progress.is_made(1, lambda: True)
    assert not progress.is_made(1, lambda: True)


def test_a_worker_that_begins_tasks_or_has_none_makes_progress() -> None:
    progress = TaskProgress(longest_seconds=3600)
    assert progress.is_made(0, lambda: True)
    assert progress.is_made(0, lambda: False)
    assert progress.is_made(1, lambda: True)
