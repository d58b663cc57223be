"""Celery tasks around `worker_files`."""

from __future__ import annotations

from benchdb.celery import app

from . import campaign_answers, worker_files


@app.task(soft_time_limit=worker_files.SECONDS, time_limit=worker_files.SECONDS + 15)
def make() -> None:
    """Make the picture, file or part whose turn it is. Idempotent, because a message may come twice."""
    worker_files.make_next()


@app.task
def prepare_card(permalink_id: str) -> None:
    """Request the preview picture and the badge of a permalink before the first reader does. Idempotent."""
    worker_files.prepare_card(permalink_id)


@app.task
def tidy() -> dict[str, int]:
    """Request lost files again and delete old ones. Idempotent."""
    return worker_files.tidy()


@app.task
def ask_answers() -> int:
    """Ask for the answers of the newest campaigns. Idempotent."""
    return campaign_answers.ask_answers()
