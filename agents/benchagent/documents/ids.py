"""Ids of runs and campaigns."""

from __future__ import annotations

import secrets
import time
import uuid


def uuid7() -> str:
    """A UUID of version 7 (RFC 9562, 5.7): 48 bits of milliseconds since 1970, then random bits."""
    milliseconds = time.time_ns() // 1_000_000
    number = (milliseconds & (2**48 - 1)) << 80 | 7 << 76 | secrets.randbits(12) << 64 | 2 << 62 | secrets.randbits(62)
    return str(uuid.UUID(int=number))
