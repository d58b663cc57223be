"""`manage.py token`."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils import timezone

from benchdb.ingest.models import Token
from benchdb.ingest.tokens import find_token


def make(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    call_command("token", *arguments)
    return capsys.readouterr().out.strip()


def test_a_token_may_upload_private_runs_unless_more_is_said(owner: User, capsys) -> None:

    token = find_token(make(capsys, "ada"))
    assert token is not None
    assert (token.owner, token.name, token.scopes, token.default_visibility) == (owner, "agent", ["upload"], "private")
    assert token.expires_at is None


def test_the_secret_is_recognisable_and_not_stored(owner: User, capsys) -> None:
    secret = make(capsys, "ada")

    assert secret.startswith("bdb_")
    assert len(secret) == 47
    assert secret not in str(Token.objects.values())


def test_every_option(owner: User, capsys) -> None:
    options = ["--name", "epyc-2", "--scope", "upload", "--scope", "queue", "--visibility", "public", "--days", "30"]

    token = find_token(make(capsys, "ada", *options))

    assert token is not None
    assert (token.name, token.scopes, token.default_visibility) == ("epyc-2", ["upload", "queue"], "public")
    assert token.expires_at is not None
    assert abs(token.expires_at - timezone.now() - timedelta(days=30)) < timedelta(minutes=1)


def test_an_owner_who_is_not_there_is_made_on_request(db: None, capsys) -> None:
    token = find_token(make(capsys, "grace", "--create-owner"))

    assert token is not None
    assert token.owner.username == "grace"
    assert not token.owner.has_usable_password()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["grace"], "There is no user 'grace'. Add --create-owner to make one."),
        (["ada", "--days", "0"], "--days 0 is not between 1 and 36500."),
        (["ada", "--days", "99999999"], "--days 99999999 is not between 1 and 36500."),
        (["ada", "--scope", "everything"], "invalid choice: 'everything'"),
    ],
)
def test_what_cannot_be_done_is_said(owner: User, arguments: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said.replace(".", r"\.")):
        call_command("token", *arguments)

    assert not Token.objects.exists()


def test_the_use_of_a_token_is_recorded_at_most_once_in_five_minutes(owner: User, capsys) -> None:
    secret = make(capsys, "ada")
    find_token(secret)
    first = Token.objects.get().last_used_at
    find_token(secret)

    assert first is not None
    assert Token.objects.get().last_used_at == first

    Token.objects.update(last_used_at=first - timedelta(minutes=6))
    find_token(secret)
    assert Token.objects.get().last_used_at >= first
