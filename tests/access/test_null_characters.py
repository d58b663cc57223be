"""No parameter of any page makes it fail if its text is a null character, which PostgreSQL cannot compare."""

from __future__ import annotations

import re

from django.contrib.auth.models import User
from django.test import Client

from tests.access.readers import make_store
from tests.access.tables import PAGES, rows

NAMES = re.compile(r'(?:[?&]|&amp;)([a-z_]+)=|\bname="([\w:]+)"')


def test_a_null_character_is_answered(client: Client, db: None) -> None:
    store = make_store()
    client.force_login(User.objects.filter(is_superuser=True).first())
    faults, tried = [], set()
    for row in rows(PAGES):
        path = row.path.format(**store.ids).partition("?")[0]
        if row.method != "GET" or path == "/logout/":
            continue
        page = client.get(row.path.format(**store.ids))
        text = page.content.decode("utf-8", "replace") if not page.streaming else ""
        for name in {one or other for one, other in NAMES.findall(text + row.path)}:
            if (path, name) not in tried and not tried.add((path, name)):
                status = client.get(f"{path}?{name}=%00").status_code
                if status >= 500:
                    faults.append(f"{path}?{name}=%00: {status}")
    assert len(tried) > 200
    assert not faults
