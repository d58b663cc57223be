"""Names that people can see: of machines, labels, tokens, keys and watches; and which of them look alike."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import TypeVar

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

# Letters that look like others in some capitals, also together.
ALIKE, SHOWN_AS = "i1035", "lloes"
TOGETHER = (("rn", "m"), ("vv", "w"))
# Besides them small letters of Cyrillic and Greek that look like Latin ones, or whose capitals do, and dashes.
_SEEN = str.maketrans(
    f"{ALIKE}\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0455\u0456\u0458\u04bb\u0501\u051b\u051d"
    "\u03b9\u03ba\u03bd\u03bf\u03c1\u03c5\u0131\u0261\u2010\u2012\u2013\u2014\u2015\u2212",
    f"{SHOWN_AS}abekmhopctyxsljhdqwlkvopulg------",
)
_NUMBERED = re.compile(r"machlne[\W_]*[\dloes]+[\W_]*$")  # the shape of a name that ends as told_apart writes it

_Key = TypeVar("_Key")


def is_name(text: str) -> bool:
    """Whether a text matches OF_NAMES and can be stored; its length is not looked at."""
    return bool(re.fullmatch(OF_NAMES, text)) and not re.search("[\ud800-\udfff]", text)


@lru_cache(10_000)
def shape(name: str) -> str:
    """What people see of a name at a glance: names of one shape are taken for each other."""
    text = unicodedata.normalize("NFKC", name).casefold()
    text = re.sub(f"[{_BLANK}]", "", text).translate(_SEEN)
    for letters, shown_as in TOGETHER:
        text = text.replace(letters, shown_as)
    return text


def told_apart(names: Mapping[_Key, str]) -> dict[_Key, str]:
    """Names of machines by id, with the id after those that look alike: `epyc-2 (machine 3)`.

    A name that ends like this has its own id, too: anybody may give a machine any name.
    """
    shapes = {key: shape(name) for key, name in names.items()}
    uses = Counter(shapes.values())
    alike = {key for key, seen in shapes.items() if uses[seen] > 1 or _NUMBERED.search(seen)}
    return {key: f"{name.strip()} (machine {key})" if key in alike else name for key, name in names.items()}


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
