"""The title and the tabs over the list of runs."""

import html
import re

from django.contrib.auth.models import User
from django.test import Client

from benchdb.catalog.models import Machine
from tests.runs.listing.test_table import ids_of, listed, variants
from tests.support.store import make_user, store_run


def title(client: Client, query: str) -> str:
    found = re.search("<title>(.*?) · BenchDB</title>", client.get(f"/runs/{query}").content.decode())
    assert found is not None
    return html.unescape(found[1])


def test_the_title_names_the_filters(client: Client, owner: User) -> None:
    variants(owner)
    nuc = Machine.objects.get(name="nuc-1").pk

    assert (title(client, ""), title(client, "?file_system=xfs")) == ("Runs", "1 run · xfs")
    assert (
        title(client, "?file_system=xfs&file_system=ext4&raid_chunk=128K")
        == "10 runs · xfs or ext4 · RAID chunk 128 KiB"
    )
    assert title(client, f"?machine={nuc}&q=debian") == "1 run · “debian” · nuc-1"
    assert title(client, "?memory_max=4G&since=2026-11-01") == "1 run · memory at most 4 GiB · from 2026-11-01"
    assert title(client, "?q=<script>") == "0 runs · “<script>”"


def test_signed_in_readers_have_a_tab_for_their_own_runs(client: Client, owner: User) -> None:
    mine, other = store_run(owner), store_run(make_user("eve"))
    assert not {"All", "Mine", "My runs"} & set(listed(client).links)

    client.force_login(owner)
    page = listed(client, "?tool=iozone")

    assert (page.links["Mine"], page.links["My runs"]) == ("/runs/?tool=iozone&owner=me", "/runs/?owner=me")
    assert set(ids_of(page)) == {str(mine.id), str(other.id)}
    own = listed(client, "?tool=iozone&owner=me")
    assert (ids_of(own), own.links["All"]) == ([str(mine.id)], "/runs/?tool=iozone")
    assert title(client, "?owner=me") == "1 run · mine"
