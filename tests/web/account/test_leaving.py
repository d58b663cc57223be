"""A deleted account leaves tombstones, without a trace of their owner."""

from datetime import timedelta
from functools import partial
from io import StringIO

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db.models import Model
from django.test import Client
from django.utils import timezone

from benchdb.compare.models import KeptAnswer, Permalink
from benchdb.compare.permalinks import services as permalinks
from benchdb.publications.services import system_user
from benchdb.quotas.models import OwnQuota, Usage
from benchdb.signatures.models import SigningKey
from benchdb.web.account.leaving import KeptAccount, leave, sweep
from benchdb.web.tasks import delete_expired_sessions, sweep_deleted_accounts
from tests.access.readers import make_store
from tests.support.comparing.comparisons import compared_runs, ids
from tests.support.html import read
from tests.support.store import make_token, make_user, store_run


def test_everything_of_theirs_goes_and_nothing_of_others(client: Client, db: None) -> None:
    store = make_store()
    ada, eve = (User.objects.get(username=name) for name in ("ada", "eve"))
    kept = store_run(eve)
    SigningKey.objects.create(owner=ada, name="ada", key=b"x", fingerprint="x", proved=True)
    assert client.get(f"/c/{store.ids['table']}/").status_code == 200
    runs = list(ada.runs.values_list("pk", flat=True))
    leave(ada)
    while sweep():
        pass

    left = filter(partial(_rows, ada), apps.get_models(include_auto_created=True))
    assert {*left} == {User.groups.through, Permalink, OwnQuota, Usage}  # without a name
    assert {client.get(f"/runs/{run}/").status_code for run in runs} == {410}
    assert client.get(kept.get_absolute_url()).status_code == 200
    for name in ("table", "revoked"):
        for address in (f"/c/{store.ids[name]}/", f"/c/{store.ids[name]}.json", f"/c/{store.ids[name]}/embed"):
            assert client.get(address).status_code == 410, address
    assert not Permalink.objects.filter(owner=ada).exclude(author="", content={}, query="", runs=[]).exists()
    assert sweep() == 0


def _rows(user: User, model: type[Model]) -> bool:
    """Whether rows of a model refer to an account, or are kept for what it has shared."""
    if model is KeptAnswer:
        return KeptAnswer.objects.filter(permalink__owner=user).exists()
    of_user = [field.name for field in model._meta.fields if field.related_model is User]
    return any(model._default_manager.filter(**{name: user}).exists() for name in of_user)


def test_who_has_a_session_or_a_token_is_out_at_once_and_the_name_is_free(ada: Client, owner: User) -> None:
    owner.first_name, owner.email = "Ada", "ada@example.org"
    owner.save()
    _, secret = make_token(owner)
    leave(owner)

    assert ada.get("/account/")["Location"].startswith("/login/")
    assert ada.get("/api/v1/token", headers={"Authorization": f"Bearer {secret}"}).status_code == 401
    left = User.objects.values_list("username", "first_name", "email", "is_active").get(pk=owner.pk)
    assert left == (f"deleted-{owner.pk}", "", "", False)
    assert not Client().login(username="ada", password="")
    assert make_user("ada").runs.count() == 0


def test_what_others_shared_says_that_runs_were_deleted(client: Client, owner: User) -> None:
    link, _ = permalinks.share(make_user("eve"), "table", ids(compared_runs(owner)))
    leave(owner)
    sweep()
    assert client.get(link.get_absolute_url()).status_code == 410


def test_a_run_that_was_on_its_way_goes_with_the_next_sweep(client: Client, owner: User) -> None:
    leave(owner)
    sweep()
    late = store_run(owner)
    assert (sweep_deleted_accounts(), client.get(late.get_absolute_url()).status_code) == (1, 410)


def test_who_keeps_the_server_and_who_owns_the_articles_stays(db: None) -> None:
    for user in (make_user("max", is_staff=True), make_user("root", is_superuser=True), system_user()):
        with pytest.raises(KeptAccount):
            leave(user)
        assert User.objects.get(pk=user.pk).is_active


@pytest.fixture
def admin(client: Client, db: None) -> User:
    admin = make_user("root", is_staff=True, is_superuser=True)
    client.force_login(admin)
    return admin


@pytest.mark.parametrize(("name", "done"), [("ada", True), ("", False), ("eve", False)])
def test_admins_write_the_name_to_delete_it(client: Client, admin: User, owner: User, name: str, done: bool) -> None:
    form = {"action": "delete_account", "_selected_action": str(owner.pk), "name": name}
    page = read(client.post("/admin/auth/user/", form, follow=True))
    assert User.objects.get(pk=owner.pk).is_active is not done
    assert ("da is deleted" in page.text) is done
    assert [entry.change_message for entry in LogEntry.objects.all()] == (["Deleted: ada"] if done else [])


def test_two_at_once_and_ones_own_are_refused(client: Client, admin: User, owner: User) -> None:
    eve = make_user("eve")
    for chosen, name in (([owner.pk, eve.pk], "ada"), ([admin.pk], "root")):
        form = {"action": "delete_account", "_selected_action": [str(each) for each in chosen], "name": name}
        client.post("/admin/auth/user/", form, follow=True)
    assert User.objects.filter(is_active=True).count() == 3


def test_the_command_deletes_and_says_how_much(owner: User) -> None:
    store_run(owner)
    output = StringIO()
    call_command("delete_account", "ada", yes=True, stdout=output)
    assert output.getvalue() == "Deleted, with 1 runs.\n"
    for name in ("ada", "nobody"):
        with pytest.raises(CommandError, match="There is no user"):
            call_command("delete_account", name, yes=True)


def test_the_command_asks(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda _: "adam")
    with pytest.raises(CommandError, match="Nothing was changed"):
        call_command("delete_account", "ada", stdout=StringIO())
    assert User.objects.get(pk=owner.pk).is_active


def test_expired_sessions_are_deleted(client: Client, owner: User) -> None:
    for session_client in (Client(), client):
        session_client.force_login(owner)
    Session.objects.exclude(pk=client.session.session_key).update(expire_date=timezone.now() - timedelta(seconds=1))
    assert (delete_expired_sessions(), client.get("/account/use/").status_code) == (1, 200)
