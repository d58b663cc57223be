"""Progress of work that the workers do, for commands that wait until it is done."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.conf import settings

TOLD_EVERY = 2.0  # seconds
PATIENCE = 60.0  # seconds without progress after which something seems to be wrong


def follow(send: Callable[[], object], left: Callable[[], int], say: Callable[[str], object]) -> None:
    """Wait until nothing is `left`, and `say` how far it is. Sent anew as often as beat would, which may not run."""
    total, before = left(), -1
    sent = moved = told = -settings.SWEEP_SECONDS - PATIENCE
    while rest := left():
        now = time.monotonic()
        if now - sent >= settings.SWEEP_SECONDS:
            send()
            sent = now
        if rest != before:
            moved, before = now, rest
        if now - told >= TOLD_EVERY:
            stuck = " Nothing moves: is a worker running? `manage.py up` starts one." if now - moved > PATIENCE else ""
            say(f"{total - rest:,} of {total:,} runs done.{stuck}")
            told = now
        time.sleep(0.2)
