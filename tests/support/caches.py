"""A cache that nobody else empties or counts in."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.conf import settings


def empty_caches() -> dict[str, Any]:
    """What CACHES is with a prefix that no key has yet.

    To empty the cache itself would empty its database, and with it what a test counts at that moment in another worker
    of pytest-xdist.
    """
    return {**settings.CACHES, "default": {**settings.CACHES["default"], "KEY_PREFIX": f"test-{uuid4()}"}}
