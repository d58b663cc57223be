"""The page of what accounts use of their quotas."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.ingest import tokens
from benchdb.ingest.models import Token
from tests.support.html import read
from tests.support.store import make_token, make_user, store_run


def cells(client: Client, table: str) -> dict[str, list[str]]:
    """The texts of a table of the page by their first cell."""
    return {row[0].text: [cell.text for cell in row[1:]] for row in read(client.get("/account/use/")).tables[table]}


def test_the_page_shows_use_and_limits(ada: Client, owner: User, settings: Any) -> None:
    settings.QUOTAS = {**settings.QUOTAS, "runs": "1/50000"}
    store_run(owner)
    make_token(owner)

    rows = cells(ada, "own")

    assert (rows["Runs"][:3], rows["Valid tokens"][:2], rows["Values"][1]) == (["1", "1", "full"], ["1", "200"], "none")
    assert rows["Machines"][:2] == ["1", "10,000"]
    assert rows["Campaigns"][:2] == rows["Queued plans"][:2] == ["0", "none"]
    assert "site" not in read(ada.get("/account/use/")).tables


def test_staff_also_see_all_accounts_with_the_same_number_of_queries(
    client: Client, owner: User, settings: Any, django_assert_num_queries: Any
) -> None:
    settings.QUOTAS = {**settings.QUOTAS, "runs": "1/50000"}
    store_run(owner)
    client.force_login(make_user("root", is_staff=True))
    with django_assert_num_queries(14):  # session, user, six of the account, six of all accounts
        assert cells(client, "site")["Runs"][:2] == ["1", "50,000"]
    for name in ("eve", "bob"):
        store_run(make_user(name))
    with django_assert_num_queries(14):
        assert cells(client, "accounts").keys() >= {"ada", "eve", "bob"}


@pytest.mark.parametrize(("address", "sent"), [("/account/", None), ("/agent/", {})])
def test_no_token_beyond_the_quota_is_made(
    ada: Client, owner: User, settings: Any, address: str, sent: dict[str, Any] | None
) -> None:
    settings.QUOTAS = {**settings.QUOTAS, "tokens": "0"}
    form = {"name": "ci", "scopes": ["upload"], "visibility": "private", "lasts": "90"} if sent is None else sent
    answer = ada.post(address, form)
    assert "The quota of this account for valid tokens is 0" in read(answer, answer.status_code).text
    assert (answer.status_code, owner.tokens.count()) == (422 if sent is None else 507, 0)


def test_the_oldest_of_very_many_ended_tokens_are_deleted(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokens that were made and revoked again counted in no quota, and none was ever deleted."""
    monkeypatch.setattr(tokens, "MOST_ENDED", 2)
    valid, of_eve = make_token(owner)[0], make_token(make_user("eve"))[0]
    tokens.revoke_token(of_eve)
    ended = []
    for _ in range(4):
        ended.append(make_token(owner)[0])
        tokens.revoke_token(ended[-1])
    newest = make_token(owner)[0]
    assert {*Token.objects.all()} == {valid, of_eve, *ended[2:], newest}
