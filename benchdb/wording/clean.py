"""Text of users, tools and machines, before a format escapes it."""

from __future__ import annotations

import re

# Control characters, and characters that change the direction of text, which could make a label look like another.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
# Invisible characters of formats, which no reader sees and fonts may lack; joiners stay, for they change the letters
# beside them.
_UNSEEN = re.compile("[\xad\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb\U000e0001-\U000e007f]")
_SPACES = re.compile(r"[\t\r\n]+")


def clean(text: str) -> str:
    """One line without invisible characters; those that are invalid in documents or hide text become �."""
    return undisguised(_UNSEEN.sub("", _SPACES.sub(" ", text))).strip()


def undisguised(text: str) -> str:
    """The text with � for each character that hides others or changes the direction of writing."""
    return _HIDDEN.sub("\ufffd", text)
