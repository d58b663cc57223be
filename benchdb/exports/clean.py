"""Text of users, tools and machines, before a format escapes it."""

from __future__ import annotations

import re

# Control characters, and characters that change the direction of text, which could make a label look like another.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
_SPACES = re.compile(r"[\t\r\n]+")


def clean(text: str) -> str:
    """One line; characters that are invalid in documents or hide text become �."""
    return _HIDDEN.sub("\ufffd", _SPACES.sub(" ", text)).strip()
