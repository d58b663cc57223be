"""The second factor: setting it up, signing in with it, recovery codes, and requiring it of staff."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from benchdb.audit.models import AuditEntry
from benchdb.roles import Role, set_role
from tests.support.caches import empty_caches
from tests.support.html import read
from tests.support.store import make_token, make_user
from tests.support.threads import at_once

PAGE, CODE = "/account/second-factor/", "/login/code/"


@pytest.fixture(autouse=True)
def counts(settings: Any) -> None:
    """Counts of wrong codes of this test only."""
    settings.CACHES = empty_caches()


def code_of(user: User, steps: int = 0) -> str:
    """The code of the user's app, `steps` of 30 s from now; any code counts only if it is newer than the last one."""
    device = TOTPDevice.objects.get(user=user)
    totp = TOTP(device.bin_key, drift=device.drift + steps)
    totp.time = timezone.now().timestamp()
    return f"{totp.token():06}"


def forget(user: User) -> None:
    """Let codes that were used count again, and forget wrong ones, instead of waiting for 30 seconds."""
    TOTPDevice.objects.filter(user=user).update(
        last_t=-1, throttling_failure_count=0, throttling_failure_timestamp=None
    )


def turned_on(client: Client, user: User) -> list[str]:
    """Turn it on by the page; returns the recovery codes."""
    client.force_login(user)
    client.post(PAGE, {"do": "begin", "password": "correct-horse-9"})
    answer = client.post(PAGE, {"do": "confirm", "code": code_of(user)})
    assert answer.status_code == 200
    forget(user)
    return re.findall(r"<code>([a-z2-7]{4}-[a-z2-7]{4})</code>", answer.content.decode())


@pytest.fixture
def ada(db: None) -> User:
    user = make_user("ada")
    user.set_password("correct-horse-9")
    user.save()
    return user


def sign_in(client: Client, name: str = "ada", follow: str = "/account/") -> Any:
    return client.post(f"/login/?next={follow}", {"username": name, "password": "correct-horse-9", "next": follow})


def is_signed_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def test_it_is_turned_on_with_the_first_code_and_shows_its_key_and_codes_once(client: Client, ada: User) -> None:
    client.force_login(ada)
    assert "Set up" in read(client.get(PAGE)).text
    client.post(PAGE, {"do": "begin", "password": "correct-horse-9"})
    page = client.get(PAGE)
    assert "no-store" in page["Cache-Control"]
    [drawing] = re.findall(r"<svg[^>]* class=\"qr\">.*?</svg>", page.content.decode(), re.DOTALL)
    assert "style=" not in drawing  # the policy of the site forbids it
    assert "wrong" in read(client.post(PAGE, {"do": "confirm", "code": "000000"}), 422).text
    forget(ada)

    done = client.post(PAGE, {"do": "confirm", "code": code_of(ada)})
    assert "no-store" in done["Cache-Control"]
    assert len(set(re.findall(r"<code>([a-z2-7]{4}-[a-z2-7]{4})</code>", done.content.decode()))) == 10
    again = read(client.get(PAGE))
    assert "10 recovery codes left" in again.text
    assert "Key" not in again.text


def test_signing_in_takes_password_and_code_and_no_code_twice(client: Client, ada: User) -> None:
    turned_on(Client(), ada)
    answer = sign_in(client)
    assert (answer.status_code, answer["Location"]) == (302, CODE)
    assert not is_signed_in(client)
    assert "ada" in read(client.get(CODE)).text
    code = code_of(ada)
    answer = client.post(CODE, {"code": f"{code[:3]} {code[3:]}"})
    assert (answer.status_code, answer["Location"]) == (302, "/account/")
    assert is_signed_in(client)

    other = Client()
    sign_in(other)
    assert "used before" in read(other.post(CODE, {"code": code}), 422).text
    assert not is_signed_in(other)


@pytest.mark.parametrize("wrong", ["", "12345", "000000", "aaaa-aaaa", "x\x00y", "9" * 40, "\u0661" * 6])
def test_a_wrong_code_signs_nobody_in(client: Client, ada: User, wrong: str) -> None:
    turned_on(Client(), ada)
    sign_in(client)
    assert client.post(CODE, {"code": wrong}).status_code == 422
    assert not is_signed_in(client)


def test_wrong_codes_are_limited_by_the_database_and_by_rates(client: Client, ada: User, settings: Any) -> None:
    turned_on(Client(), ada)
    sign_in(client)
    settings.LOGIN_NAME_RATE = "4/d"
    for _ in range(3):
        client.post(CODE, {"code": "000000"})
    TOTPDevice.objects.update(throttling_failure_count=6, throttling_failure_timestamp=timezone.now())
    assert "No code counts for the next" in read(client.post(CODE, {"code": code_of(ada)}), 422).text
    assert not is_signed_in(client)

    forget(ada)
    assert client.post(CODE, {"code": code_of(ada)}).status_code == 429
    settings.LOGIN_NAME_RATE = "5/d"
    assert client.post(CODE, {"code": code_of(ada)}).status_code == 302


def test_a_recovery_code_works_once(ada: User) -> None:
    first, *_ = turned_on(Client(), ada)
    for expected in (302, 422):
        client = Client()
        sign_in(client)
        assert client.post(CODE, {"code": first.upper()}).status_code == expected
    assert StaticToken.objects.count() == 9


@pytest.mark.parametrize("change", ["password", "time", "closed"])
def test_the_first_step_ends(client: Client, ada: User, change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    turned_on(Client(), ada)
    sign_in(client)
    if change == "password":
        ada.set_password("another-horse-9")
        ada.save()
    elif change == "closed":
        User.objects.filter(pk=ada.pk).update(is_active=False)
    else:
        session = client.session
        session["second_factor_of"] = [*session["second_factor_of"][:2], 1, "/account/"]
        session.save()
    answer = client.post(CODE, {"code": code_of(ada)})
    assert (answer.status_code, answer["Location"]) == (302, "/login/")
    assert not is_signed_in(client)


@pytest.mark.parametrize("order", ["remembered in a session", "signed in later"])
def test_a_code_of_another_account_signs_nobody_in(client: Client, ada: User, order: str) -> None:
    turned_on(Client(), ada)
    eve = make_user("eve")
    if order == "remembered in a session":  # as by two requests at the same moment
        client.force_login(eve)
        session = client.session
        session["second_factor_of"] = [ada.pk, ada.get_session_auth_hash(), 2**40, "/account/"]
        session.save()
    else:
        eve.set_password("another-horse-9")
        eve.save()
        sign_in(client)
        client.post("/login/", {"username": "eve", "password": "another-horse-9"})
        assert "second_factor_of" not in client.session
    client.post(PAGE, {"do": "begin"})
    client.post(PAGE, {"do": "confirm", "code": code_of(eve)})
    forget(eve)
    client.post(CODE, {"code": code_of(eve)})
    assert client.session["_auth_user_id"] == str(eve.pk)


def test_it_cannot_be_replaced_or_turned_off_without_a_code(client: Client, ada: User) -> None:
    turned_on(client, ada)
    key = TOTPDevice.objects.get().key
    for sent in ({"do": "begin"}, {"do": "confirm", "code": "000000"}, {"do": "off", "code": "1"}, {"do": "codes"}, {}):
        client.post(PAGE, sent)
    assert TOTPDevice.objects.get(confirmed=True).key == key
    forget(ada)
    StaticDevice.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
    assert client.post(PAGE, {"do": "codes", "code": code_of(ada)}).status_code == 200
    forget(ada)
    client.post(PAGE, {"do": "off", "code": code_of(ada)})
    assert not TOTPDevice.objects.exists()
    assert not StaticToken.objects.exists()
    assert sign_in(Client())["Location"] == "/account/"


def test_it_leads_only_to_pages_of_this_site(client: Client, ada: User) -> None:
    turned_on(Client(), ada)
    sign_in(client, follow="https://evil.example/")
    assert client.post(CODE, {"code": code_of(ada)})["Location"] == "/runs/"


def test_tokens_work_without_it(client: Client, ada: User) -> None:
    turned_on(Client(), ada)
    _, secret = make_token(ada)
    assert client.get("/api/v1/token", headers={"Authorization": f"Bearer {secret}"}).status_code == 200


def test_the_admin_can_require_it(client: Client, ada: User, settings: Any) -> None:
    set_role(ada, Role.MAINTAINER)
    client.force_login(ada)
    assert client.get("/admin/").status_code == 200
    settings.SECOND_FACTOR = "staff"
    answer = client.get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0] == PAGE
    assert "The admin requires a second factor." in read(answer).text

    turned_on(client, ada)
    client.logout()
    client.force_login(ada)  # a session of before
    answer = client.get("/admin/ingest/token/", follow=True)
    assert answer.redirect_chain[-1][0] == f"{CODE}?next=/admin/ingest/token/"
    assert client.post(answer.redirect_chain[-1][0], {"code": code_of(ada)})["Location"] == "/admin/ingest/token/"
    assert client.get("/admin/ingest/token/").status_code == 200
    assert [entry.detail for entry in AuditEntry.objects.filter(action="second_factor")] == ["on"]


def test_admins_and_the_command_remove_it_and_that_is_recorded(
    client: Client, ada: User, capsys: pytest.CaptureFixture[str]
) -> None:
    for remove in ("admin", "command"):
        turned_on(Client(), ada)
        call_command("second_factor", "ada")
        if remove == "admin":
            client.force_login(make_user("root", is_staff=True, is_superuser=True))
            form = {"action": "remove_second_factor", "_selected_action": str(ada.pk), "reason": "lost phone"}
            client.post("/admin/auth/user/", form)
        else:
            call_command("second_factor", "ada", "--remove", "--reason", "lost phone")
        assert not TOTPDevice.objects.exists()
    assert capsys.readouterr().out.split() == ["on", "on", "off"]
    told = AuditEntry.objects.order_by("pk").values_list("action", "via", "reason", "detail")
    assert list(told) == [("second_factor", via, "lost phone", "removed") for via in ("admin", "command")]


def test_keys_and_codes_are_not_in_the_admin(client: Client, ada: User) -> None:
    client.force_login(make_user("root", is_staff=True, is_superuser=True))
    assert client.get("/admin/otp_totp/totpdevice/").status_code == 404
    assert client.get("/admin/otp_static/staticdevice/").status_code == 404


@pytest.fixture(params=["app", "recovery"])
def same_code_in_ten_sessions(request: Any, transactional_db: None) -> list[int]:
    """The answers to one code that ten sessions send at the same moment."""
    user = make_user("ada")
    user.set_password("correct-horse-9")
    user.save()
    recovery = turned_on(Client(), user)
    browsers = [Client() for _ in range(10)]
    for browser in browsers:
        sign_in(browser)
    code = code_of(user) if request.param == "app" else recovery[0]
    return at_once([lambda browser=browser: browser.post(CODE, {"code": code}).status_code for browser in browsers])


def test_of_ten_sessions_with_the_same_code_one_is_signed_in(same_code_in_ten_sessions: list[int]) -> None:
    assert sorted(same_code_in_ten_sessions) == [302, *[422] * 9]
