"""Text of users in pictures and printed files."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client

from benchdb.exports import tasks
from benchdb.exports.models import Export
from benchdb.wording.clean import clean
from tests.support.documents import document
from tests.support.store import store_run

UNSEEN = "\xad\u200b\u2060\u2064\ufeff\ufffb\U000e0061"


def test_invisible_characters_are_left_out_and_hiding_ones_shown() -> None:
    assert clean(f"{UNSEEN}a{UNSEEN}b\tc\u061cd\u202ee\x1b") == "ab c\ufffdd\ufffde\ufffd"
    assert clean("\u0646\u200c\u0645") == "\u0646\u200c\u0645"


def test_a_pdf_may_have_them(owner: User, client: Client) -> None:
    one = store_run(owner, document(visibility="public", labels={"k": f"x{UNSEEN}"}))
    two = store_run(owner, document(visibility="public", labels={"k": "b"}, file_system="xfs"))
    address = f"/compare/table.pdf?run={one.pk}&run={two.pk}&rows=label:k"
    client.get(address)
    tasks.make(Export.objects.get(state=Export.State.WAITING).pk)

    assert client.get(address).status_code == 200
