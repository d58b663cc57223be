"""Errors that formats raise."""

from __future__ import annotations


class TooLarge(Exception):
    """The file would exceed the limits, or the picture would be unreadable; the text suggests a smaller choice."""
