"""Names of new accounts look like no other account's, and like none of the site."""

from contextlib import suppress
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError

from benchdb.identity.names import candidates, is_free
from benchdb.identity.services import new_account
from tests.support.store import make_user
from tests.support.threads import at_once

pytestmark = pytest.mark.django_db


NAMES = {
    "": [
        *("admin", "Admin", "ADMIN", "a.d.m.i.n", "admin-2", "admin1", "adrnin", "root", "r00t", "benchdb"),
        *("admins", "Administrators", "maintainers", "contributor", "contributors-2", "viewers", "security-team"),
        *("BenchDB-team", "support", "security", "postmaster", "publications", "deleted-5", "___", ""),
        *("\N{CYRILLIC SMALL LETTER A}dmin", "j\N{LATIN SMALL LETTER U WITH DIAERESIS}rgen", "grace hopper"),
        *("\N{FULLWIDTH LATIN SMALL LETTER A}dmin", "grace\N{ZERO WIDTH SPACE}", "grace\n"),
    ],
    "linus": ["Iinus", "1inus", "LINUS", "l.i-n_u@s"],
    "Carmen.2": ["carrnen2"],
    "will": ["vvi11"],
    "sue": ["5u3"],
    "l0gan": ["logan"],
}


@pytest.mark.parametrize(("account", "name"), [(account, name) for account, names in NAMES.items() for name in names])
def test_names_of_the_site_and_like_that_of_an_account_are_not_free(account: str, name: str) -> None:
    assert is_free(name) == bool(account)
    make_user(account or "ada")
    assert not is_free(name)


@pytest.mark.django_db(transaction=True)
def test_of_names_of_one_shape_at_once_one_is_taken() -> None:
    def take(name: str) -> None:
        with suppress(IntegrityError):
            new_account(name)

    at_once([partial(take, name) for name in ("pillow", "pi1low", "p.illow", "PILLOW")])

    assert User.objects.count() == 1


@pytest.mark.parametrize("name", ["ada", "grace-hopper", "anna.root", "m", "user.7", "anna+lab@EXAMPLE.ORG", "rooted"])
def test_other_names_are_free(name: str) -> None:
    assert is_free(name)


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("grace hopper", "grace-hopper"),
        ("", "user"),
        ("../../etc", "etc"),
        ("publications", "user"),
        ("Deleted-5", "user"),
        ("admin", "user"),
        ("maintainers", "user"),
        ("\N{CYRILLIC SMALL LETTER A}dmin", "dmin"),
        ("J\N{LATIN SMALL LETTER U WITH DIAERESIS}rgen", "Jurgen"),
        ("\N{FULLWIDTH LATIN CAPITAL LETTER A}DA", "ADA-2"),
        ("a.d.a", "a.d.a-2"),
        ("x" * 300, "x" * 60),
    ],
)
def test_proposed_names_are_storable_free_and_not_our_own(wanted: str, name: str) -> None:
    make_user("ada")
    proposed = candidates(wanted)
    assert proposed[0] == name
    assert all(map(is_free, proposed))
