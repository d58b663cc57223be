"""Python's cyclic garbage collector, switched off while readers work."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Switch the cyclic collector off for a while.

    Readers create many objects and no cycles; looking for cycles takes a third of the time of a long text.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
