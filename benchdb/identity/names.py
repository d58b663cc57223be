"""Which names new accounts may have: none that people take for another one's, or for one of the site itself.

Names are ASCII, so letters of other alphabets cannot pose as Latin ones, and names that differ only in capitals, in
separators, or in letters that look alike are the same name. Accounts that exist keep their names, and administrators
may give any. confusable_homoglyphs finds mixed alphabets, which ASCII rules out, but not `l` and `1`.
"""

from __future__ import annotations

import re
import unicodedata

from django.contrib.auth.models import User
from django.db.models import CharField, F, Func, Value
from django.db.models.functions import Lower, Replace

from benchdb.roles import Role, is_reserved
from benchdb.wording.names import ALIKE, SHOWN_AS, TOGETHER
from benchdb.wording.names import shape as shape_of_name

LONGEST_NAME = 60
NAMES_TO_TRY = 1000
_FORBIDDEN = re.compile(r"[^a-zA-Z0-9_.@+-]+")  # what Django's validator of ASCII names refuses
_SEPARATORS = "._@+-"  # left out of shapes
# Names of roles and of machines' own accounts, and mail addresses that providers give to owners of a domain (RFC 2142).
_OF_THE_SITE = (
    *("abuse", "account", "admin", "administrator", "anonymous", "api", "everybody", "everyone", "guest", "help"),
    *("hostmaster", "info", "mail", "maintainer", "moderator", "nobody", "noreply", "official", "operator", "owner"),
    *("postmaster", "root", "security", "server", "staff", "superuser", "support", "sysadmin", "system", "team"),
    *("webmaster", "www"),
    *Role.values,
)


def shape(name: str) -> str:
    """What people see of the name of an account at a glance, without separators."""
    return shape_of_name(name.translate(str.maketrans("", "", _SEPARATORS)))


_SHAPES_OF_THE_SITE = frozenset(shape(name + ending) for name in _OF_THE_SITE for ending in ("", "s", "team", "steam"))
_PRODUCT = shape("benchdb")


def _shape_in_sql() -> Func:
    """The shape of the name of an account, as the database computes it."""
    signs = (Value(ALIKE + _SEPARATORS), Value(SHOWN_AS))
    text: Func = Func(Lower(F("username")), *signs, function="translate", output_field=CharField())
    for letters, shown_as in TOGETHER:
        text = Replace(text, Value(letters), Value(shown_as))
    return text


def is_free(name: str) -> bool:
    """Whether people may take a name: ASCII, not used by the site or BenchDB itself, and like no account's."""
    return _is_possible(name) and not User.objects.annotate(shape=_shape_in_sql()).filter(shape=shape(name)).exists()


def candidates(wanted: str) -> list[str]:
    """Names for a new account that were free, the best first; accents are left out."""
    plain = unicodedata.normalize("NFKD", wanted)
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    plain = _FORBIDDEN.sub("-", plain).strip("-.@")[:LONGEST_NAME]
    if not _is_possible(plain):
        plain = "user"
    alike = User.objects.annotate(shape=_shape_in_sql()).filter(shape__startswith=shape(plain))
    taken = set(alike.values_list("shape", flat=True))
    numbered = (plain, *(f"{plain}-{number}" for number in range(2, NAMES_TO_TRY)))
    return [name for name in numbered if shape(name) not in taken][:5]


def _is_possible(name: str) -> bool:
    """Whether an account may have this name if no other has it; numbers after a name of the site make it no other."""
    seen, unnumbered = shape(name), shape(name.rstrip("0123456789._@+-"))
    return (
        bool(seen)
        and not _FORBIDDEN.search(name)
        and not is_reserved(name)
        and _PRODUCT not in seen
        and seen not in _SHAPES_OF_THE_SITE
        and unnumbered not in _SHAPES_OF_THE_SITE
    )
