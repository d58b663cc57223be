"""Every text of a document may be hostile markup, and all pages and exports show it as text."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.permalinks import services as permalinks
from benchdb.runs.models import Run
from tests.support.documents import document, environment, target, uuid7
from tests.support.mutations import saying
from tests.support.store import store_run

MARKUP = "\"'><img src=x onerror=alert(1)></script><script>alert(1)</script>&lt;b&gt;"
PAGES = (
    *("/", "/runs/", "/machines/", "/runs/{0}/", "/runs/{0}/results/0/", "/runs/{0}/results/1/", "/runs/{0}/again/"),
    *("/runs/{0}/edit/", "/runs/{0}/delete/", "/machines/{machine}/", "/compare/?{both}", "/compare/?{both}&rows=run"),
    *(
        "/compare/?{both}&rows=label:{key}",
        "/compare/table.html?{both}",
        "/search/?q=img",
        "/runs/?q=%3Cimg",
        "/c/{link}/",
    ),
    *("/c/{link}/embed", "/c/{link}/today", "/c/{link}.html", "/trend/?{both}&test=write", "/admin/runs/runstate/"),
)


@pytest.fixture
def runs(owner: User) -> list[Run]:
    sent = saying(document(environment=environment(), target=target(), labels={MARKUP: MARKUP}), MARKUP)
    assert json.dumps(sent).count("<img src=x") > 40
    second = json.loads(json.dumps(sent)) | {"run_id": str(uuid7())}
    second["results"][0]["values"] = [5e8, 6e8, 7e8]
    return [store_run(owner, content | {"visibility": "public"}) for content in (sent, second)]


def test_it_is_text_wherever_it_is_shown(client: Client, owner: User, runs: list[Run]) -> None:
    owner.first_name, owner.is_staff, owner.is_superuser = "<img src=x>", True, True
    owner.save()
    both = "&".join(f"run={run.pk}" for run in runs)
    names = {
        "machine": runs[0].machine_id,
        "both": both,
        "key": "%22",
        "link": permalinks.share(owner, "table", both)[0].pk,
    }
    client.force_login(owner)
    seen = 0
    for page in PAGES:
        for reader in (client, Client()):
            answer = reader.get(page.format(runs[0].pk, **names))
            html = answer.content.decode()
            assert answer.status_code < 500, page
            assert not [words for words in ("<img src=x", "<script>alert") if words in html], page
            seen += "&lt;img src=x" in html or "\\u003Cimg src=x" in html
    assert seen > len(PAGES), "the words are there, as words"
