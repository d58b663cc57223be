"""Limits of expensive requests by address, account and name: 429 with the time to wait."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import override_settings

from benchdb.http.rate_limits import address_of, too_many
from benchdb.ingest.models import Scope
from tests.agents.formats.texts import golden
from tests.conftest import Upload
from tests.support.api import error_of
from tests.support.caches import empty_caches
from tests.support.comparing.comparisons import compared_runs, ids
from tests.support.documents import document
from tests.support.html import read
from tests.support.imports import BONNIE
from tests.support.store import QuickHasher, make_token, make_user

PASSWORD = "correct horse"


def waits(answer: HttpResponse) -> int:
    """The seconds to wait, from an answer with status 429."""
    assert answer.status_code == 429, answer.content[:500]
    return int(answer["Retry-After"])


def statuses(answers: Iterable[HttpResponse]) -> list[int]:
    return [answer.status_code for answer in answers]


def test_an_address_that_sends_too_much_waits_whoever_it_is(upload: Upload, client: Client, settings: Any) -> None:
    settings.ADDRESS_RATE = "2/d"
    first = [upload(document()), client.post("/share/", {"query": "x"})]
    assert statuses(first) == [201, 302]

    assert error_of(upload(document()), 429)["code"] == "too_many_requests"
    answer = client.post("/login/", {"username": "ada"})
    assert 1 <= waits(answer) <= 86400
    assert "Too much at once" in read(answer, 429).text
    assert client.get("/").status_code == 200, "reading is not counted"
    elsewhere = {"username": "ada", "password": "x"}
    assert client.post("/login/", elsewhere, REMOTE_ADDR="192.0.2.7").status_code == 200


def test_permalinks_are_counted_by_account_on_pages_and_over_the_api(
    client: Client, owner: User, settings: Any
) -> None:
    settings.SHARE_RATE = "2/d"
    query = ids(compared_runs(owner))
    headers = {"Authorization": f"Bearer {make_token(owner, Scope.READ)[1]}"}
    client.force_login(owner)

    def over_api(headers: dict[str, str]) -> HttpResponse:
        return client.post("/api/v1/permalinks", {"query": query}, "application/json", headers=headers)

    assert statuses([client.post("/share/", {"query": query}), over_api(headers)]) == [302, 200]
    error_of(over_api(headers), 429)
    waits(client.post("/share/", {"query": query}))
    others = {"Authorization": f"Bearer {make_token(make_user('eve'), Scope.READ)[1]}"}
    assert over_api(others).status_code == 201


def test_imports_are_counted_by_account(client: Client, owner: User, settings: Any) -> None:
    settings.IMPORT_RATE = "1/d"
    client.force_login(owner)
    assert client.post("/import/", {"text": golden(BONNIE)}).status_code == 302
    waits(client.post("/import/", {"text": golden(BONNIE)}))


@pytest.fixture
def ada(owner: User) -> User:
    owner.set_password(PASSWORD)
    owner.save()
    return owner


def sign_in(client: Client, password: str, name: str = "ada", address: str = "192.0.2.1") -> HttpResponse:
    return client.post("/login/", {"username": name, "password": password}, REMOTE_ADDR=address)


def test_wrong_passwords_of_an_address_end_in_waiting_also_for_the_right_one(
    client: Client, ada: User, settings: Any
) -> None:
    settings.LOGIN_RATE = "2/d"
    assert sign_in(client, PASSWORD).status_code == 302, "a right one counts for nothing"
    client.logout()
    assert statuses([sign_in(client, "x"), sign_in(client, "y", name="eve")]) == [200, 200]

    waits(sign_in(client, PASSWORD))
    assert sign_in(client, PASSWORD, address="192.0.2.2").status_code == 302


def test_wrong_passwords_of_a_name_end_in_waiting_from_wherever(client: Client, ada: User, settings: Any) -> None:
    settings.LOGIN_NAME_RATE = "2/d"
    tried = [sign_in(client, "x", address="192.0.2.1"), sign_in(client, "x", name="ADA", address="192.0.2.2")]
    assert statuses(tried) == [200, 200]
    waits(sign_in(client, PASSWORD, address="192.0.2.3"))


@pytest.mark.parametrize("name", [" " * 300 + "ada", "ada\u2003", "\uff41\uff44\uff41", "\u24d0d\u1d43 "])
def test_no_other_spelling_of_a_name_has_attempts_of_its_own(
    client: Client, ada: User, settings: Any, name: str
) -> None:
    assert sign_in(client, PASSWORD, name=name).status_code == 302, "the account that Django finds"
    client.logout()
    settings.LOGIN_NAME_RATE, settings.CACHES = "1/d", empty_caches()
    assert sign_in(client, "x").status_code == 200

    waits(sign_in(client, PASSWORD, name=name, address="192.0.2.3"))


def test_nobody_tries_passwords_in_a_session_that_was_left_open(client: Client, ada: User, settings: Any) -> None:
    settings.LOGIN_NAME_RATE = "2/d"
    client.force_login(ada)

    def change(old: str) -> HttpResponse:
        new = {"new_password1": "battery staple", "new_password2": "battery staple"}
        return client.post("/account/password/", {"old_password": old, **new})

    assert statuses([change("x"), change("y")]) == [200, 200]
    waits(change(PASSWORD))
    ada.refresh_from_db()
    assert ada.check_password(PASSWORD)


@pytest.mark.parametrize("address", ["/login/", "/share/", "/account/", "/nowhere/"])
def test_a_form_that_takes_no_file_keeps_none_and_reads_no_long_one(
    client: Client, ada: User, settings: Any, tmp_path: Path, address: str
) -> None:
    settings.FILE_UPLOAD_TEMP_DIR, settings.DATA_UPLOAD_MAX_MEMORY_SIZE = tmp_path, 100_000
    settings.FILE_UPLOAD_MAX_MEMORY_SIZE = 0
    checking = Client(enforce_csrf_checks=True)
    checking.cookies["csrftoken"] = "a" * 32
    for size, expected in ((1000, {403, 404}), (200_000, {400, 404})):
        file = ContentFile(b"x" * size, name="big")
        assert checking.post(address, {"file": file, "csrfmiddlewaretoken": "b" * 32}).status_code in expected
    assert not list(tmp_path.iterdir())
    request = RequestFactory().post(address, {"file": ContentFile(b"x", name="small"), "name": "ada"})
    assert (request.POST["name"], list(request.FILES)) == ("ada", [])


def test_a_live_picture_at_a_time_for_an_address(client: Client, owner: User) -> None:
    query = ids(compared_runs(owner))

    def ask(form: str, **more: Any) -> HttpResponse:
        return client.get(f"/compare/table.{form}?{query}", **more)

    assert ask("png").status_code == 202
    assert ask("png").status_code == 202, "the same one again"
    waits(ask("svg"))
    assert ask("svg", REMOTE_ADDR="192.0.2.9").status_code == 202


@pytest.mark.parametrize(
    ("proxies", "header", "expected"),
    [
        (0, "203.0.113.5", "192.0.2.1"),
        (1, "203.0.113.5", "203.0.113.5"),
        (1, "198.51.100.66, 203.0.113.5", "203.0.113.5"),
        (2, "198.51.100.66, 203.0.113.5, 10.0.0.3", "203.0.113.5"),
        (2, "203.0.113.5", "192.0.2.1"),
        (1, None, "192.0.2.1"),
        (1, "not an address", "unknown"),
        (1, "2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        (1, "::ffff:203.0.113.5", "203.0.113.5"),
    ],
)
def test_the_address_is_what_our_own_proxies_saw(proxies: int, header: str | None, expected: str) -> None:
    headers = {"X-Forwarded-For": header} if header else {}
    request = RequestFactory().get("/", headers=headers, REMOTE_ADDR="192.0.2.1")
    with override_settings(PROXIES=proxies):
        assert address_of(request) == expected


def test_without_a_cache_nobody_waits(settings: Any) -> None:
    away = {**settings.CACHES["default"], "LOCATION": "redis://127.0.0.1:1/0"}
    settings.CACHES = {"default": away}
    settings.SHARE_RATE = "1/d"
    assert [too_many("SHARE_RATE", "x") for _ in range(3)] == [None, None, None]


HASHED: list[str] = []


class CountingHasher(QuickHasher):
    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        HASHED.append(password)
        return super().encode(password, salt, iterations)


@pytest.fixture
def hashes_of_passwords(db: None, settings: Any) -> None:
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    make_user("ada", password="correct-horse-9")
    make_user("closed", password="correct-horse-9", is_active=False)
    make_user("of-a-provider")
    User.objects.create_superuser("root", password="correct-horse-9")
    HASHED.clear()


@pytest.mark.parametrize("name", ["ada", "ADA", "closed", "of-a-provider", "root", "publications"])
def test_every_name_is_one_hash_and_one_answer(hashes_of_passwords: None, name: str) -> None:
    """So the time of signing in does not tell which accounts exist."""
    answers = [
        read(Client().post("/login/", {"username": sent, "password": "wrong-horse-1"}), 200).text
        for sent in (name, "nobody")
    ]
    assert len(HASHED) == 2, "one for each of both"
    assert answers[0] == answers[1]
