"""Names of new accounts look like no other account's, and like none of the site."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchdb.identity.names import _shape_in_sql, candidates, is_free, shape
from tests.support.store import make_user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "name",
    [
        *(
            "admin",
            "Admin",
            "ADMIN",
            "a.d.m.i.n",
            "admin-2",
            "admin1",
            "adrnin",
            "root",
            "r00t",
            "benchdb",
            "BenchDB-team",
        ),
        *("support", "security", "postmaster", "publications", "deleted-5", "___", ""),
        "\N{CYRILLIC SMALL LETTER A}dmin",
        "\N{CYRILLIC SMALL LETTER A}\N{CYRILLIC SMALL LETTER ES}\N{CYRILLIC SMALL LETTER IE}",
        "\N{FULLWIDTH LATIN SMALL LETTER A}dmin",
        "j\N{LATIN SMALL LETTER U WITH DIAERESIS}rgen",
        "grace\N{ZERO WIDTH SPACE}",
        "grace\n",
        "grace hopper",
    ],
)
def test_names_of_the_site_and_of_other_alphabets_are_not_free(name: str) -> None:
    assert not is_free(name)


@pytest.mark.parametrize(
    ("account", "name"),
    [
        ("linus", "Iinus"),
        ("linus", "1inus"),
        ("linus", "LINUS"),
        ("linus", "l.i-n_u@s"),
        ("Carmen.2", "carrnen2"),
        ("will", "vvi11"),
        ("l0gan", "logan"),
    ],
)
def test_names_like_that_of_an_account_are_not_free(account: str, name: str) -> None:
    assert is_free(name)
    make_user(account)
    assert not is_free(name)


@pytest.mark.parametrize("name", ["ada", "grace-hopper", "anna.root", "m", "user.7", "anna+lab@EXAMPLE.ORG", "roots"])
def test_other_names_are_free(name: str) -> None:
    make_user("grace")
    assert is_free(name)


def test_accounts_that_exist_keep_their_names_whatever_they_look_like() -> None:
    for name in ("root", "linus", "Iinus", "\N{CYRILLIC SMALL LETTER A}dmin"):
        make_user(name).full_clean(exclude=["password"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.text("Il1O0o.-_@+rnmvwaZ", min_size=1, max_size=12))
def test_python_and_database_see_the_same_shape(name: str) -> None:
    user = make_user(name)
    try:
        assert User.objects.annotate(shape=_shape_in_sql()).get(pk=user.pk).shape == shape(name)
    finally:
        user.delete()


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("grace hopper", "grace-hopper"),
        ("", "user"),
        ("../../etc", "etc"),
        ("publications", "user"),
        ("Deleted-5", "user"),
        ("admin", "user"),
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
