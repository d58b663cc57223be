"""Waiting for a condition instead of sleeping."""

import time
from collections.abc import Callable


def wait_until(
    condition: Callable[[], bool],
    seconds: float = 20.0,
    say: Callable[[], str] = lambda: "the condition never came true",
) -> None:
    """Return as soon as `condition` holds; fail after so many seconds with the message from `say`."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, say()
        time.sleep(0.01)
