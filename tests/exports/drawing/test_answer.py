"""The answer of a table as a picture: its size, its words, and what its addresses answer."""

import re
from io import BytesIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from PIL import Image

from benchdb.compare import models
from benchdb.compare.models import Permalink
from benchdb.compare.permalinks import services
from benchdb.compare.permalinks.services import find, revoke, share
from benchdb.compare.query.selection import Selection
from benchdb.compare.table.evaluate import evaluate
from benchdb.exports.drawing.fonts import text_width
from benchdb.exports.drawing.save import draw_answer
from benchdb.exports.models import Export
from benchdb.exports.origin import Origin, frozen_origin
from benchdb.exports.tasks import prepare_card
from benchdb.exports.worker_files import OneAtATime, ask
from benchdb.runs.models import KeptPart
from benchdb.runs.services import delete_run, withdraw
from tests.support.comparing.comparisons import compared_runs, ids, surface_run
from tests.support.documents import KIB, MIB
from tests.support.made import make_all

SITE = "http://testserver"
MOST_BYTES = 1_000_000  # well below the limits of Mastodon (16 MB), X (5 MB) and WhatsApp (600 kB for large pictures)


@pytest.fixture
def link(owner: User) -> Permalink:
    runs = compared_runs(owner, {"ext4": 100 * MIB, "xfs": 120 * MIB, "btrfs": 80 * MIB}, record_sizes=(64 * KIB, MIB))
    return share(owner, "table", ids(runs), site=SITE)[0]


def picture(client: Client, link: Permalink, form: str = "png") -> Any:
    """The answer with the picture, after a worker made it."""
    client.get(f"/c/{link.id}/card.{form}")
    make_all()
    response = client.get(f"/c/{link.id}/card.{form}")
    assert response.status_code == 200, response.content
    return response


def test_the_preview_has_the_size_of_previews(client: Client, link: Permalink) -> None:
    response = picture(client, link)

    with Image.open(BytesIO(response.content)) as image:
        assert (image.format, image.size) == ("PNG", (1200, 630))
        assert link.get_absolute_url() in image.info["Source"]
        assert len(image.getcolors(1 << 24) or []) > 20  # something is drawn
    assert response["Content-Type"] == "image/png"
    assert 10_000 < len(response.content) < MOST_BYTES


def test_the_picture_is_also_an_svg(client: Client, link: Permalink) -> None:
    response = picture(client, link, "svg")

    assert response["Content-Type"].startswith("image/svg+xml")
    assert re.search(rb'<svg [^>]*width="432pt" height="226.8pt"', response.content)


def test_sharing_makes_the_preview_before_the_first_reader(
    client: Client, owner: User, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    sent: list[tuple[str, ...]] = []
    monkeypatch.setattr(services, "hand_over", lambda task, *arguments: sent.append((task, *arguments)))
    with django_capture_on_commit_callbacks(execute=True):
        link = share(owner, "table", ids(compared_runs(owner)), site=SITE)[0]

    assert (prepare_card.name, link.id) in sent
    prepare_card(link.id)
    make_all()

    assert client.get(f"/c/{link.id}/card.png").status_code == 200
    assert client.get(f"/c/{link.id}/card.svg").status_code == 200


def test_a_large_page_is_left_to_its_turn_once_for_each_site(
    client: Client, owner: User, link: Permalink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "LARGE_BYTES", 1)
    parts, found = KeptPart.objects.count(), find(link.id)
    prepare_card(link.id)

    assert set(Export.objects.values_list("form", "state")) == {(form, "waiting") for form in ("png", "svg", "link")}
    assert KeptPart.objects.count() == parts
    assert found is not None
    with pytest.raises(OneAtATime):
        ask(found.shown, frozen_origin(found, SITE, "cells"), "csv", f"account {owner.pk}")
    make_all()
    assert client.get(f"/c/{link.id}/").status_code == 200

    for site in ("http://127.0.0.1", SITE, "http://127.0.0.1"):
        share(owner, "table", link.query, site=site)
        prepare_card(link.id)
        make_all()
        assert Export.objects.count() == 6
    Export.objects.all().delete()
    prepare_card(link.id)
    assert not Export.objects.exists()


def test_a_revoked_permalink_has_no_picture(client: Client, owner: User, link: Permalink) -> None:
    picture(client, link)
    revoke(owner, link.id)

    for form in ("png", "svg"):
        assert client.get(f"/c/{link.id}/card.{form}").status_code == 410
    prepare_card(link.id)
    assert not Export.objects.filter(state=Export.State.WAITING).exists()


def test_no_old_picture_is_shown_after_a_deletion(client: Client, owner: User, link: Permalink) -> None:
    first = picture(client, link)
    *_, last = (state.run for state in owner.runs.order_by("pk"))
    delete_run(last)

    assert client.get(f"/c/{link.id}/card.png", headers={"If-None-Match": first["ETag"]}).status_code == 202
    assert picture(client, link).content != first.content


def test_a_withdrawal_is_in_the_picture(client: Client, owner: User, link: Permalink) -> None:
    first = picture(client, link)
    withdraw(owner.runs.order_by("pk")[0].run, "the disk was failing")

    assert client.get(f"/c/{link.id}/card.png").status_code == 202
    assert picture(client, link).content != first.content


def test_only_tables_have_an_answer(client: Client, owner: User) -> None:
    surface = share(owner, "surface", f"run={surface_run(owner).id}", site=SITE)[0]

    assert client.get(f"/c/{surface.id}/card.png").status_code == 404
    prepare_card(surface.id)
    make_all()
    assert client.get(f"/c/{surface.id}.png").status_code == 200


def test_a_table_that_compares_nothing_still_has_a_preview(client: Client, owner: User) -> None:
    (run,) = compared_runs(owner, {"ext4": 100 * MIB})
    alone = share(owner, "table", f"run={run.id}", site=SITE)[0]

    with Image.open(BytesIO(picture(client, alone).content)) as image:
        assert image.size == (1200, 630)


@pytest.mark.parametrize("path", ["aaaaaaaaaaaaaaaa/card.png", "nonsense/card.svg"])
@pytest.mark.django_db
def test_an_unknown_permalink_has_no_picture(client: Client, path: str) -> None:
    assert client.get(f"/c/{path}").status_code == 404


def test_all_texts_have_room(owner: User) -> None:
    means = {"ext2": 100, "ext3": 100, "ext4": 100, "f2fs": 100, "xfs": 150, "jfs": 100, "btrfs": 40}
    sizes = (4 * KIB, 64 * KIB, 512 * KIB, MIB)
    runs = compared_runs(owner, {name: mean * MIB for name, mean in means.items()}, record_sizes=sizes)
    drawn = draw_answer(evaluate(Selection.parse(ids(runs)), owner)[0], Origin(SITE, frozen=False))

    texts = list(drawn.root.iter("text"))
    assert any((text.text or "").startswith("xfs is fastest") for text in texts)
    assert {*means} <= {text.text for text in texts}
    for text in texts:
        width = text_width(text.text or "", size := float(text.get("font-size", "")), bold="font-weight" in text.attrib)
        place, anchor = float(text.get("x", "")), text.get("text-anchor")
        left = place - width * {"end": 1.0, "middle": 0.5}.get(anchor or "", 0.0)
        assert left >= 0
        assert left + width <= drawn.width
        assert size <= float(text.get("y", "")) <= drawn.height
