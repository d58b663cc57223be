"""The schema.org Dataset on the page of a permalink, against the rules that Google states for data sets."""

import json
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.models import Permalink
from benchdb.compare.permalinks.services import share
from benchdb.publications.data_files import read
from benchdb.publications.models import Publication
from benchdb.publications.services import load
from benchdb.runs.services import withdraw
from tests.support.comparing.comparisons import compared_runs, ids
from tests.support.comparing.trends import upgraded
from tests.support.documents import MIB

SITE = "http://testserver"
OPEN, CLOSE = '<script type="application/ld+json">', "</script>"
LICENSE = "https://creativecommons.org/licenses/by/4.0/"


def dataset(client: Client, address: str) -> Any:
    """The only Dataset of a page, with what each must have."""
    html = client.get(address).content.decode()
    assert html.count(OPEN) == 1
    found = json.loads(html.partition(OPEN)[2].partition(CLOSE)[0])
    assert (found["@context"], found["@type"]) == ("https://schema.org", "Dataset")
    assert found["url"] == found["@id"] == f"{SITE}{address}"
    for each in (found, *found.get("hasPart", [])):
        assert 50 <= len(each["description"]) <= 5000
        assert each["name"]
    for file in found["distribution"]:
        answer = client.get(file["contentUrl"])
        assert answer.status_code == 200
        assert answer["Content-Type"].startswith(file["encodingFormat"])
    return found


def shared(owner: User, query: str, kind: str = "table") -> Permalink:
    return share(owner, kind, query, site=SITE)[0]


def test_a_table_says_what_was_measured_with_what_and_when(client: Client, owner: User, settings: Any) -> None:
    runs = compared_runs(owner, {"ext4": 100 * MIB, "xfs": 120 * MIB})
    link = shared(owner, ids(runs))

    found = dataset(client, link.get_absolute_url())

    assert found["name"].startswith("ext4, xfs")
    assert found["measurementTechnique"] == ["iozone 3.489"]
    assert found["variableMeasured"] == [
        {"@type": "PropertyValue", "name": "throughput", "unitCode": "P93", "unitText": "B/s"}
    ]
    assert (found["temporalCoverage"], found["datePublished"]) == ("2026-11-20", str(link.created_at.date()))
    assert found["creator"] == {"@type": "Person", "name": "ada"}
    assert "license" not in found
    withdraw(runs[0], "a mistake")
    settings.LICENSE = LICENSE
    again = dataset(client, f"{link.get_absolute_url()}")
    assert again["description"].startswith("With figures that were withdrawn.")
    assert again["license"] == LICENSE


def test_a_trend_is_a_dataset_too(client: Client, owner: User) -> None:
    found = dataset(client, shared(owner, f"run={upgraded(owner)[0].id}", "trend").get_absolute_url())
    assert found["temporalCoverage"] == "2026-11-20/2026-12-05"


def test_an_article_has_its_tables_as_parts_and_no_licence(client: Client, db: None, settings: Any) -> None:
    settings.LICENSE = LICENSE
    load(read("ffsb-2007"))

    found = dataset(client, "/articles/ffsb-2007/")

    assert found["isBasedOn"]["name"] == Publication.objects.get().title
    assert "B/s" in [each["unitText"] for each in found["variableMeasured"]]
    part = dataset(client, found["hasPart"][0]["url"].removeprefix(SITE))
    assert "license" not in found | part
