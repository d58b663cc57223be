"""Names that people can see: of machines, labels, tokens, keys and watches."""

from __future__ import annotations

import re
from collections.abc import Mapping

from django.core.exceptions import ValidationError

# Marks that change the direction of writing (UAX 9) could make a name look like another, or reorder the page around it.
_REFUSED = r"\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# White space, what programs need not draw (Unicode's Default_Ignorable_Code_Point), and the empty pattern of Braille.
_BLANK = (
    "\\s\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
OF_NAMES = f"^[^{_REFUSED}]*[^{_REFUSED}{_BLANK}][^{_REFUSED}]*$"  # read by Python, Rust and JSON Schema
MOST_LABELS, LABEL_CHARACTERS = 64, 2_000  # of a run; the characters of all names and values together
OF_NAMES_IN_WORDS = "visible text without control characters and marks that change the direction of writing"


def is_name(text: str) -> bool:
    """Whether a text matches OF_NAMES and can be stored; its length is not looked at."""
    return bool(re.fullmatch(OF_NAMES, text)) and not re.search("[\ud800-\udfff]", text)


def label_faults(labels: Mapping[str, str]) -> list[str]:
    """Sentences that say what a run cannot have: so many labels, or so long ones together."""
    characters = len("".join([*labels, *labels.values()]))
    many = f"There are {len(labels)} labels; a run can have {MOST_LABELS}."
    long = f"The labels have {characters:,} characters together; a run can have {LABEL_CHARACTERS:,}."
    return [*[many] * (len(labels) > MOST_LABELS), *[long] * (characters > LABEL_CHARACTERS)]


def check_name(text: str) -> None:
    """Check a field of a form. Raises ValidationError."""
    if not is_name(text):
        raise ValidationError(f"It must be {OF_NAMES_IN_WORDS}.")
