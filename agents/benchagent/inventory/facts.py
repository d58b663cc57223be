"""The type of a set of facts, and the cleaning of short texts."""

from __future__ import annotations

from typing import Any

Facts = dict[str, Any]  # in the shape of a section of the contract

LONGEST_NAME = 200  # characters of the contract's short texts


def clean(text: str | None) -> str | None:
    """One line of printable text without repeated blanks, at most 200 characters; None if nothing is left."""
    if text is None:
        return None
    words = "".join(char if char.isprintable() else " " for char in text).split()
    return " ".join(words)[:LONGEST_NAME] or None
