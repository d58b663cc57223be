"""A cache that no other test uses."""

from typing import Any
from uuid import uuid4

from django.conf import settings


def empty_caches() -> dict[str, Any]:
    """The setting CACHES with a prefix that no key has yet.

    Emptying the cache would empty its whole database, with the counts of tests in other workers of pytest-xdist.
    """
    return {**settings.CACHES, "default": {**settings.CACHES["default"], "KEY_PREFIX": f"benchdb:test-{uuid4()}"}}
