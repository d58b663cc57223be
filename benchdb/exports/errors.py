"""What cannot be made because it would be too large."""

from __future__ import annotations


class TooLarge(Exception):
    """A file larger than any may be, or a picture that nobody could read; the text says what to choose instead."""
