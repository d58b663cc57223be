"""Who has a session alone, without the password, changes nothing that outlasts it."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice

from tests.support.caches import empty_caches
from tests.support.html import read
from tests.support.store import make_user
from tests.web.account.test_page import FORM
from tests.web.account.test_second_factor import CODE, PAGE, code_of, sign_in

ACCOUNT, CONNECT, DISCONNECT = "/account/", "/account/provider/connect/", "/account/provider/disconnect/"
ADDRESS, KEYS = "/account/address/", "/account/keys/"


@pytest.fixture
def ada(db: None, settings: Any) -> User:
    settings.CACHES, settings.EMAIL_HOST = empty_caches(), "127.0.0.1"
    settings.OIDC_ISSUER, settings.OIDC_LABEL = "https://id.example.org", "Example login"
    user = User.objects.create_user("ada", password="correct-horse-9")
    user.identities.create(issuer=settings.OIDC_ISSUER, subject="17", used_at=timezone.now())
    return user


@pytest.mark.parametrize(
    ("page", "form", "after"),
    [
        (PAGE, {"do": "begin"}, 302),
        (PAGE, {"do": "confirm", "code": "1"}, 422),
        (PAGE, {"do": "codes", "code": "1"}, 422),
        (PAGE, {"do": "off", "code": "1"}, 422),
        (ACCOUNT, FORM, 302),
        ("/agent/", {}, 302),
        (KEYS, {"name": "laptop"}, 422),
        (ADDRESS, {"address": "no address"}, 422),
        (CONNECT, {}, 200),
        (DISCONNECT, {}, 302),
    ],
)
def test_a_form_counts_with_the_password_or_soon_after_signing_in(
    client: Client, ada: User, page: str, form: dict[str, Any], after: int, settings: Any
) -> None:
    settings.LOGIN_NAME_RATE = "2/d"
    client.force_login(ada)
    asked = client.post(page, form)
    assert "Enter your password" in read(asked, 403).text
    for value in form.values():
        assert f'value="{value[0] if isinstance(value, list) else value}"' in asked.content.decode()
    assert "The password is wrong" in read(client.post(page, {**form, "password": "x"}), 403).text
    assert [client.post(page, {**form, "password": "x"}).status_code for _ in range(2)] == [403, 429]
    assert (ada.identities.count(), ada.tokens.count(), TOTPDevice.objects.count()) == (1, 0, 0)

    settings.LOGIN_NAME_RATE = "3/d"
    assert client.post(page, {**form, "password": "correct-horse-9"}).status_code == after
    sign_in(recent := Client())
    assert recent.post(page, form).status_code == (after if page != ACCOUNT else 422), "the name of the token is taken"


@pytest.mark.parametrize(
    ("page", "form"),
    [
        ("auth/user/{}/password/", {"password1": "battery-staple-9", "password2": "battery-staple-9"}),
        ("auth/user/", {"action": "remove_second_factor", "_selected_action": "{}"}),
    ],
)
def test_the_admin_asks_too(client: Client, ada: User, page: str, form: dict[str, str]) -> None:
    User.objects.update(is_staff=True, is_superuser=True)
    client.force_login(ada)
    form = {name: value.format(ada.pk) for name, value in form.items()}
    assert "Enter your password" in read(client.post(f"/admin/{page.format(ada.pk)}", form), 403).text
    assert client.post(f"/admin/{page.format(ada.pk)}", {**form, "password": "correct-horse-9"}).status_code == 302


def test_accounts_without_a_password_show_it_in_their_way(client: Client, ada: User) -> None:
    ada.set_unusable_password()
    ada.save()
    client.force_login(ada)
    assert "Sign in with Example login again" in read(client.post(ADDRESS, {}), 403).text
    ada.identities.all().delete()
    TOTPDevice.objects.create(user=ada, confirmed=True)
    assert "Enter a code" in read(client.post(ADDRESS, {}), 403).text
    client.post(f"{CODE}?next=/account/", {"code": code_of(ada)})
    assert client.post(ADDRESS, {}).status_code == 422
    client.force_login(make_user("proxied"))
    assert client.post(ADDRESS, {}).status_code == 422
