"""Waiting for what comes true by itself, instead of sleeping."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_until(
    condition: Callable[[], bool],
    seconds: float = 20.0,
    say: Callable[[], str] = lambda: "the condition never came true",
) -> None:
    """Return as soon as `condition` holds; after so many seconds it never will, and `say` tells how things are."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, say()
        time.sleep(0.01)
