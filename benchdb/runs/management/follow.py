"""The progress of work in the workers, for commands that wait for its end."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.conf import settings

REPORT_PERIOD = 2.0  # seconds
PATIENCE = 60.0  # seconds without progress until a hint


def follow(send: Callable[[], object], left: Callable[[], int], say: Callable[[str], object]) -> None:
    """Wait until nothing is `left`, and `say` the progress. Calls `send` as often as beat, which may not be running."""
    total, before = left(), -1
    sent = moved = reported = -settings.SWEEP_SECONDS - PATIENCE
    while rest := left():
        now = time.monotonic()
        if now - sent >= settings.SWEEP_SECONDS:
            send()
            sent = now
        if rest != before:
            moved, before = now, rest
        if now - reported >= REPORT_PERIOD:
            stuck = " Nothing moves: is a worker running? `manage.py up` starts one." if now - moved > PATIENCE else ""
            say(f"{total - rest:,} of {total:,} runs done.{stuck}")
            reported = now
        time.sleep(0.2)
