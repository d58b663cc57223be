"""`/api/v1/status`: the progress of the server's work, for staff."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client

from benchagent.formats import PARSER_VERSION
from benchdb.ingest.models import Scope
from benchdb.stats import STATISTICS_VERSION
from tests.support.api import error_of
from tests.support.store import computed_before, make_token, make_user, store_run


def test_staff_see_it_with_a_token_or_a_session(client: Client, owner: User) -> None:
    computed_before([store_run(owner)])
    store_run(owner)
    staff = make_user("root", is_staff=True)
    expected = {
        "runs": 2,
        "states": {"received": 0, "computing": 0, "ready": 2, "failed": 0},
        "statistics": {"version": STATISTICS_VERSION, "done": 1, "outdated": 1},
        "parsers": {"version": PARSER_VERSION, "unread": 2, "refused": 0},
    }

    headers = {"Authorization": f"Bearer {make_token(staff, Scope.READ)[1]}"}
    assert client.get("/api/v1/status", headers=headers).json() == expected
    client.force_login(staff)
    assert client.get("/api/v1/status").json() == expected


def test_others_do_not(client: Client, owner: User) -> None:
    error_of(client.get("/api/v1/status"), 401)
    error_of(client.get("/api/v1/status", headers={"Authorization": "Bearer bdb_x"}), 401)
    client.force_login(owner)
    error_of(client.get("/api/v1/status"), 403)
