"""A set of facts, and the names that may stand in it."""

from __future__ import annotations

from typing import Any

Facts = dict[str, Any]


LONGEST_NAME = 200  # of the contract's short texts


def clean(text: str | None) -> str | None:
    """One line of printable text without doubled blanks, at most 200 characters; None where nothing is left."""
    if text is None:
        return None
    words = "".join(char if char.isprintable() else " " for char in text).split()
    return " ".join(words)[:LONGEST_NAME] or None
