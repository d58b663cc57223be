"""Previews of shared links, checked against the rules of their readers.

docs/permalinks.md, "Previews", has the rules. Open Graph: https://ogp.me/. oEmbed 1.0: https://oembed.com/.
"""

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.models import Permalink
from benchdb.compare.permalinks.services import revoke, share
from benchdb.runs.services import delete_run, withdraw
from tests.support.comparing.comparisons import compared_runs, ids, surface_run
from tests.support.documents import MIB
from tests.texts import missing_in

META = re.compile(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">')
OEMBED = re.compile(r'<link rel="alternate" type="application/json\+oembed" href="([^"]+)" title="[^"]+">')
SITE = "https://testserver"
OF_RICH = {"type", "version", "html", "width", "height"}  # required by oEmbed 1.0


@pytest.fixture
def link(owner: User) -> Permalink:
    runs = compared_runs(owner, {"ext4": 100 * MIB, "xfs": 120 * MIB, "btrfs": 80 * MIB})
    return share(owner, "table", ids(runs), site=SITE)[0]


def page(client: Client, link: Permalink) -> str:
    response = client.get(link.get_absolute_url(), secure=True)
    assert response.status_code == 200
    return response.content.decode()


def tags(html: str) -> dict[str, str]:
    found = META.findall(html)
    once = [name for name, _ in found if name.startswith(("og:", "twitter:"))]
    assert len(once) == len(set(once))
    return {name: unescape(content) for name, content in found}


def oembed(client: Client, link: Permalink, **query: Any) -> Any:
    address = f"{SITE}{link.get_absolute_url()}"
    return client.get("/oembed", {"url": address, **query}, secure=True)


def test_open_graph_has_what_it_requires(client: Client, link: Permalink) -> None:
    found = tags(page(client, link))
    address = f"{SITE}{link.get_absolute_url()}"

    assert {"og:title", "og:type", "og:image", "og:url"} <= set(found)
    assert (found["og:url"], found["og:image"]) == (address, f"{address}card.png")
    assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")
    assert found["og:image:type"] == "image/png"
    assert found["og:image:alt"]
    assert found["og:title"].startswith("ext4, xfs, btrfs on epyc-2")
    assert found["og:description"].startswith("xfs is fastest: 20.0\u00a0% faster than ext4 (")
    assert found["description"] == found["og:description"]
    assert len(found["og:description"]) <= 300


def test_the_tags_are_where_readers_look(client: Client, link: Permalink) -> None:
    html = page(client, link).encode()

    assert html.index(b'<meta charset="utf-8">') < 1024  # HTML
    last = html.index(b"json+oembed")
    assert html.index(b"og:type") < last < html.index(b"</head>")  # WordPress reads no further
    assert last < 4096  # Slack requests 32 kB, Mastodon reads 1 MB


def test_twitter_has_a_large_picture_with_its_text(client: Client, link: Permalink) -> None:
    found = tags(page(client, link))

    assert (found["twitter:card"], found["twitter:image"]) == ("summary_large_image", found["og:image"])
    assert 0 < len(found["twitter:image:alt"]) <= 420
    assert found["twitter:title"]
    assert found["twitter:description"]


def test_all_addresses_are_absolute_and_https(client: Client, link: Permalink) -> None:
    html = page(client, link)
    found = tags(html)
    addresses = [found["og:url"], found["og:image"], found["twitter:image"], *OEMBED.findall(html)]

    assert all(address.startswith(f"{SITE}/") for address in addresses)
    assert f'<link rel="canonical" href="{found["og:url"]}">' in html


def test_oembed_is_found_and_has_what_it_requires(client: Client, link: Permalink) -> None:
    (discovered,) = OEMBED.findall(page(client, link))
    parts = urlsplit(unescape(discovered))
    response = client.get(f"{parts.path}?{parts.query}", secure=True)
    document = response.json()

    assert parse_qs(parts.query)["url"] == [f"{SITE}{link.get_absolute_url()}"]
    assert response["Content-Type"] == "application/json"
    assert set(document) >= OF_RICH
    assert (document["type"], document["version"]) == ("rich", "1.0")
    assert not missing_in(
        document["html"],
        f'src="{SITE}{link.get_absolute_url()}embed"',
        f'width="{document["width"]}" height="{document["height"]}"',
    )
    assert "<script" not in document["html"]
    # A thumbnail has all three keys or none.
    assert {"thumbnail_url", "thumbnail_width", "thumbnail_height"} <= set(document)
    assert client.get(urlsplit(document["html"].split('src="')[1].split('"')[0]).path, secure=True).status_code == 200


@pytest.mark.parametrize(("width", "height"), [(320, 200), (1000, 1000), (4000, 3000)])
def test_oembed_stays_within_the_size_that_a_consumer_has(
    client: Client, link: Permalink, width: int, height: int
) -> None:
    document = oembed(client, link, maxwidth=width, maxheight=height).json()

    assert document["width"] <= width
    assert document["height"] <= height
    assert document.get("thumbnail_width", 0) <= width
    assert document.get("thumbnail_height", 0) <= height


def test_oembed_says_what_it_cannot_do(client: Client, link: Permalink) -> None:
    assert oembed(client, link, format="xml").status_code == 501
    assert client.get("/oembed", secure=True).status_code == 400
    assert oembed(client, link, maxwidth="wide").status_code == 404
    for url in (
        f"https://elsewhere.example{link.get_absolute_url()}",
        f"{SITE}/runs/",
        f"{SITE}/c/aaaaaaaaaaaaaaaa/",
        f"javascript://testserver{link.get_absolute_url()}",
        "https://[",
        "nothing",
    ):
        assert client.get("/oembed", {"url": url}, secure=True).status_code == 404


@pytest.mark.parametrize("form", ["{}/c/{}", "{}/c/{}/?utm_source=chat", "{}/c/{}/#table", "{}/c/{}/embed?theme=dark"])
def test_oembed_takes_addresses_as_people_paste_them(client: Client, link: Permalink, form: str) -> None:
    document = client.get("/oembed", {"url": form.format(SITE, link.id)}, secure=True).json()

    assert f'src="{SITE}{link.get_absolute_url()}embed"' in document["html"]


def test_nothing_is_described_after_a_revocation(client: Client, owner: User, link: Permalink) -> None:
    revoke(owner, link.id)

    response = client.get(link.get_absolute_url(), secure=True)
    assert response.status_code == 410
    assert "og:" not in response.content.decode()
    assert "xfs" not in response.content.decode()
    assert oembed(client, link).status_code == 410


def test_a_deleted_run_leaves_the_description(client: Client, owner: User, link: Permalink) -> None:
    before = tags(page(client, link))["og:description"]
    delete_run(owner.runs.order_by("pk")[1].run)  # that of xfs

    after = tags(page(client, link))["og:description"]
    assert "xfs is fastest: 20.0\u00a0% faster" in before
    assert "xfs" not in after
    assert "btrfs" in after


def test_a_withdrawal_is_in_the_description(client: Client, owner: User, link: Permalink) -> None:
    page(client, link)
    withdraw(owner.runs.order_by("pk")[0].run, "the disk was failing")

    assert tags(page(client, link))["og:description"].startswith("With figures that were withdrawn. ")


def test_surfaces_have_their_exported_picture(client: Client, owner: User) -> None:
    surface = share(owner, "surface", f"run={surface_run(owner).id}", site=SITE)[0]
    found = tags(page(client, surface))

    assert found["og:image"] == f"{SITE}/c/{surface.id}.png"
    assert "og:image:width" not in found
    assert found["og:description"]
    assert "thumbnail_url" not in oembed(client, surface).json()


def test_hostile_names_stay_text(client: Client, owner: User) -> None:
    name = '"><script>alert(1)</script>'
    runs = compared_runs(owner, {"ext4": 100 * MIB, "xfs": 120 * MIB}, machine={"name": name, "machine_id": "8b" * 32})
    hostile = share(owner, "table", ids(runs), site=SITE)[0]

    html = page(client, hostile)
    assert name not in html
    assert name in tags(html)["og:title"]
    assert name not in oembed(client, hostile).json()["html"]


def test_the_snippets_show_picture_and_address(client: Client, link: Permalink) -> None:
    html = unescape(re.sub("<[^>]+>", "", page(client, link)))
    address = f"{SITE}{link.get_absolute_url()}"

    assert not missing_in(
        html,
        f"[![ext4, xfs, btrfs on epyc-2]({address}card.png)]({address})",
        f'<a href="{address}"><img src="{address}card.png" alt="ext4, xfs, btrfs on epyc-2" width="800"></a>',
    )
