"""Whatever maintainers and admins do is in the audit trail, for good."""

import json
import logging
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import DatabaseError, transaction
from django.test import Client

from benchdb.audit.models import Action, AuditEntry
from benchdb.audit.services import Actor, Via, account, record
from benchdb.roles import Role, set_role
from tests.support.html import read
from tests.support.store import make_token, make_user, store_run
from tests.texts import missing_in

PASSWORDS = {"usable_password": "true", "password1": "battery-staple-9", "password2": "battery-staple-9"}


@pytest.fixture
def root(client: Client, db: None) -> User:
    root = make_user("root", is_staff=True, is_superuser=True)
    client.force_login(root)
    return root


@pytest.mark.parametrize(
    ("act", "sent", "action", "detail"),
    [
        ("runs/runstate/ withdraw", {"reason": "the disk was failing"}, "withdraw", "Withdrawn: the disk was failing"),
        ("runs/runstate/ reinstate", {}, "reinstate", "Counts again."),
        ("runs/runstate/ make_private", {"reason": "asked by mail"}, "visibility", "public → private, private at most"),
        ("ingest/token/ revoke", {"reason": "leaked"}, "revoke_token", "Revoked; of ada."),
        ("auth/user/ make_viewer", {}, "role", "contributor → viewer"),
        ("auth/user/ delete_account", {"name": "ada", "reason": "asked by mail"}, "delete_account", "Deleted: ada"),
    ],
)
def test_an_action_is_recorded_with_all_its_facts(
    client: Client, root: User, owner: User, act: str, sent: dict[str, str], action: str, detail: str
) -> None:
    run, token = store_run(owner), make_token(owner)[0]
    address, name = act.split()
    chosen = {"runs/runstate/": run.pk, "ingest/token/": token.pk, "auth/user/": owner.pk}[address]

    client.post(f"/admin/{address}", {"action": name, "_selected_action": str(chosen), **sent}, REMOTE_ADDR="192.0.2.7")

    entry = AuditEntry.objects.get()
    kind = {"runs/runstate/": "run", "ingest/token/": "token", "auth/user/": "account"}[address]
    assert (entry.who, entry.who_id, entry.via, entry.address) == ("root", root.pk, "admin", "192.0.2.7")
    assert (entry.action, entry.kind, entry.object_id, entry.detail) == (action, kind, str(chosen), detail)
    assert entry.reason == sent.get("reason", "")
    assert entry.object_name in ("agent", "ada", str(run))


def test_forms_are_recorded_with_the_values_before_and_after_but_no_passwords(
    client: Client, root: User, owner: User
) -> None:
    client.post("/admin/auth/user/add/", {"username": "grace", **PASSWORDS})
    dates = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
    client.post(f"/admin/auth/user/{owner.pk}/change/", {"username": "ada", "email": "a@example.org", **dates})
    client.post(f"/admin/auth/user/{owner.pk}/password/", PASSWORDS)
    client.post("/admin/quotas/ownquota/add/", {"owner": "ada", "quota": "runs", "most": "7"})
    quota = owner.own_quotas.get()
    client.post(f"/admin/quotas/ownquota/{quota.pk}/change/", {"owner": "ada", "quota": "runs", "most": ""})
    client.post(f"/admin/quotas/ownquota/{quota.pk}/delete/", {"post": "yes"})

    entries = [(e.action, e.object_name, e.detail) for e in AuditEntry.objects.order_by("pk")]
    assert [(action, name) for action, name, _ in entries] == [
        ("make_account", "grace"),
        ("change_account", "ada"),
        ("change_account", "ada"),
        *[("quota", "ada")] * 3,
    ]
    details = [detail for _, _, detail in entries]
    assert not missing_in(details[1], "is_active: True → False", "email: none → a@example.org")
    assert "password" in details[2]
    assert "most: 7 → none" in details[4]
    assert "deleted" in details[5]
    assert "battery" not in str(details)


def test_commands_are_recorded_with_the_user_of_the_system(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUDO_USER", "kim")
    call_command("role", "ada", "maintainer", "--reason", "on call")
    call_command("role", "ada", "contributor")
    call_command("token", "ada", "--name", "ci")
    call_command("delete_account", "ada", "--yes", "--reason", "asked by mail")

    told = [(e.action, e.who, e.who_id, e.via, e.reason) for e in AuditEntry.objects.order_by("pk")]
    assert told == [
        ("role", "kim", None, "command", "on call"),
        ("role", "kim", None, "command", ""),
        ("make_token", "kim", None, "command", ""),
        ("delete_account", "kim", None, "command", "asked by mail"),
    ]
    assert AuditEntry.objects.latest("pk").object_name == "ada"


def test_the_database_refuses_to_change_or_delete_entries(owner: User, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "benchdb.audit"):
        record(Actor(None, "kim", Via.COMMAND), Action.ROLE, account(owner), reason="on call")
    entries = AuditEntry.objects.all()
    for change in (lambda: entries.update(reason="another"), entries.delete):
        with pytest.raises(DatabaseError, match="never changed or deleted"), transaction.atomic():
            change()
    assert entries.get().reason == "on call"
    assert f"audit: kim (command) role account {owner.pk} 'ada' detail='' reason='on call'" in caplog.text


def test_an_act_that_fails_leaves_no_entry(client: Client, root: User) -> None:
    form = {"action": "delete_account", "_selected_action": str(root.pk), "name": "root"}
    assert "Nothing was changed" in read(client.post("/admin/auth/user/", form, follow=True)).text
    assert not AuditEntry.objects.exists()


def test_maintainers_read_and_filter_it(client: Client, owner: User, django_assert_num_queries: Any) -> None:
    keeper = make_user("keeper")
    set_role(keeper, Role.MAINTAINER)
    client.force_login(keeper)
    record(Actor(None, "kim", Via.COMMAND), Action.ROLE, account(owner), detail="contributor → viewer")
    with django_assert_num_queries(6):
        assert "contributor → viewer" in read(client.get("/admin/audit/auditentry/")).text
    record(Actor(None, "lou", Via.COMMAND), Action.QUOTA, account(owner), reason="a long campaign")
    with django_assert_num_queries(6):
        client.get("/admin/audit/auditentry/")
    assert "contributor" not in read(client.get("/admin/audit/auditentry/?action__exact=quota")).text
    assert "a long campaign" in read(client.get("/admin/audit/auditentry/?q=lou")).text
    assert client.get("/admin/audit/auditentry/add/").status_code == 403


def test_the_command_prints_it_as_text_and_json(owner: User, capsys: pytest.CaptureFixture[str]) -> None:
    record(Actor(None, "kim", Via.COMMAND), Action.ROLE, account(owner), reason="on call", detail="viewer → admin")
    record(Actor(None, "lou", Via.COMMAND), Action.QUOTA, account(owner))
    call_command("audit", "--who", "kim", "--since", "2020-01-01")
    [line] = capsys.readouterr().out.splitlines()
    assert line.endswith(f" kim (command) role changed: ada (account {owner.pk}); viewer → admin; reason: on call")
    call_command("audit", "--json", "--action", "quota")
    [entry] = map(json.loads, capsys.readouterr().out.splitlines())
    assert (entry["who"], entry["action"], entry["object_name"]) == ("lou", "quota", "ada")
    call_command("audit", "--until", "2020-01-01")
    assert capsys.readouterr().out == ""
