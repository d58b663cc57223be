"""Text of users, tools and machines, before a format escapes it."""

from __future__ import annotations

import re

from benchdb.http.rendering import undisguised

# Invisible characters of formats, which no reader sees and fonts may lack; joiners stay, for they change the letters
# beside them.
_UNSEEN = re.compile("[\xad\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb\U000e0001-\U000e007f]")
_SPACES = re.compile(r"[\t\r\n]+")


def clean(text: str) -> str:
    """One line without invisible characters; those that are invalid in documents or hide text become �."""
    return undisguised(_UNSEEN.sub("", _SPACES.sub(" ", text))).strip()
