"""Links of a run's page: its campaign, article and permalinks, and runs of the same workload on other machines."""

from typing import Any
from urllib.parse import parse_qs, urlparse

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.publications.models import Publication, PublishedRun
from benchdb.runs.models import Run
from benchdb.runs.services import withdraw
from tests.support.comparing.comparisons import campaign
from tests.support.documents import document, round_, target
from tests.support.html import read
from tests.support.store import make_user, store_run
from tests.texts import missing_in

DIRECTORY = {**target(), "kind": "directory"}


def on_machine(owner: User, name: str, **sections: Any) -> Run:
    return store_run(owner, machine={"name": name, "machine_id": name.encode().hex().ljust(64, "0")}, **sections)


def compared(answer: Any) -> list[str]:
    assert answer.status_code == 302
    return parse_qs(urlparse(answer["Location"]).query)["run"]


def test_the_same_workload_on_other_machines_is_one_click(client: Client, owner: User) -> None:
    run = on_machine(owner, "one")
    on_machine(owner, "two")
    newer = on_machine(owner, "two")
    other_fs = on_machine(owner, "three", file_system="xfs")
    on_machine(owner, "one")
    other = {"tool": "iozone", "tool_version": "3.489", "command": ["iozone"], "parameters": {"threads": 4}}
    on_machine(owner, "four", workload=other)

    address = read(client.get(run.get_absolute_url())).links["Same workload on other machines"]

    assert compared(client.get(address)) == [str(run.id), str(newer.id), str(other_fs.id)]
    assert client.get(client.get(address)["Location"]).status_code == 200


def test_a_run_on_the_same_file_system_is_taken_before_a_newer_one(client: Client, owner: User) -> None:
    run, same = on_machine(owner, "one"), on_machine(owner, "two")
    on_machine(owner, "two", file_system="xfs")

    assert compared(client.get(f"/runs/{run.id}/others/")) == [str(run.id), str(same.id)]


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_what_lists_do_not_show_is_not_found(client: Client, owner: User, visibility: str) -> None:
    run = on_machine(owner, "one")
    on_machine(owner, "two", visibility=visibility)
    withdraw(on_machine(owner, "three"), "the disk was failing")
    client.force_login(make_user("eve"))

    page = read(client.get(f"/runs/{run.id}/others/"))

    assert "No other machine has run this workload yet" in page.text
    assert page.links["all runs of iozone"] == "/runs/?tool=iozone"


def test_it_says_of_which_campaign_and_article_it_is_part(client: Client, owner: User) -> None:
    belongs = campaign()
    run = store_run(owner, campaign=belongs, extra={"publication": {"slug": "x"}})
    fields = {"slug": "x", "title": "On <disks>", "ordinal": 1, "year": 2009, "authors": "", "citation": "", "plan": ""}
    publication = Publication.objects.create(**fields)
    PublishedRun.objects.create(publication=publication, run=run, key="a", ordinal=0)

    page = read(client.get(run.get_absolute_url()))

    assert page.links["“On <disks>”"] == "/articles/x/"
    assert page.links[f"campaign, point {belongs['point']}"] == f"/campaigns/{belongs['id']}/"


def test_a_run_without_company_says_how_to_measure_a_second_one(client: Client, owner: User) -> None:
    first = store_run(owner, campaign=campaign(), labels={"plan": "directory"}, target=DIRECTORY)
    page = read(client.get(first.get_absolute_url()))

    assert page.links["Compare with a second run"] == "#second"
    assert "run directory --directory OTHER-DIRECTORY --server http://testserver" in page.text
    assert "Compare with the other runs of this campaign" not in page.links

    second = store_run(owner, campaign=campaign(), labels={"plan": "directory"}, target=target("xfs"))
    for run in (first, second):
        page = read(client.get(run.get_absolute_url()))
        address = page.links["Compare with another run of this workload"]
        assert address == f"/compare/?run={first.id}&run={second.id}"
        assert "second" not in page.links
        assert "Measure a second run" not in page.text
    assert "xfs" in read(client.get(address)).text


def test_a_plan_of_ones_own_has_no_command_for_a_second_run(client: Client, owner: User) -> None:
    run = store_run(owner, campaign=campaign(), labels={"plan": "own"}, target=DIRECTORY)
    page = read(client.get(run.get_absolute_url()))

    assert "Measure a second run to compare with" in page.text
    assert "OTHER-DIRECTORY" not in page.text


def test_of_earlier_runs_one_on_another_target_is_compared_first(client: Client, owner: User) -> None:
    other = store_run(owner, campaign=campaign(), file_system="xfs")
    store_run(owner, campaign=campaign())
    run = store_run(owner, campaign=campaign())

    links = read(client.get(run.get_absolute_url())).links
    assert links["Compare with another run of this workload"] == f"/compare/?run={other.id}&run={run.id}"


def test_a_private_run_of_others_is_no_company(client: Client, owner: User) -> None:
    run = store_run(owner, campaign=campaign())
    store_run(owner, campaign=campaign(), visibility="private")

    assert "Compare with a second run" in read(client.get(run.get_absolute_url())).links
    client.force_login(owner)
    assert "Compare with another run of this workload" in read(client.get(run.get_absolute_url())).links


def test_a_document_alone_makes_nobody_part_of_an_article(client: Client, owner: User) -> None:
    run = store_run(owner, extra={"publication": {"slug": "x"}})

    assert "part of" not in read(client.get(run.get_absolute_url())).text


def test_own_permalinks_are_for_who_made_them(ada: Client, owner: User) -> None:
    run = store_run(owner)
    address = ada.post("/share/", {"kind": "table", "query": f"run={run.id}"})["Location"]

    shown = [href for text, href in read(ada.get(run.get_absolute_url())).links.items() if text.startswith("table ")]

    assert shown == [address]
    ada.force_login(make_user("eve"))
    assert address not in ada.get(run.get_absolute_url()).content.decode()
    ada.logout()
    assert address not in ada.get(run.get_absolute_url()).content.decode()


def test_what_nobody_knows_of_printed_figures_is_not_said(client: Client, owner: User) -> None:
    figures = [{"test": "write", "metric": "throughput", "unit": "B/s", "summary": {"mean": 1e8}}]
    protocol = {"cache": "uncontrolled", "order": "sequential", "prepare": "none"}
    fields = {"rounds": 0, "results": figures, "artifacts": [], "protocol": protocol}
    run = store_run(owner, extra={"publication": {"slug": "x"}}, **fields)

    page = read(client.get(run.get_absolute_url()))

    assert not missing_in(
        page.text, "caches unknown", "warm-up unknown", "preparation unknown", "figures printed by an article"
    )
    assert missing_in(page.text, "sequential", "agent 0.1.0") == ["sequential", "agent 0.1.0"]


def test_what_an_agent_did_is_said(client: Client, owner: User) -> None:
    protocol = {"cache": "uncontrolled", "order": "sequential", "prepare": "none", "warmup_discarded": 0}

    page = read(client.get(store_run(owner, protocol=protocol).get_absolute_url()))

    assert not missing_in(
        page.text, "order sequential", "warm-up none", "preparation not prepared", "caches uncontrolled"
    )


def test_headlines_are_drawn_by_round(client: Client, owner: User) -> None:
    rounds = [round_(0), {**round_(1), "status": "failed", "error": "killed"}, round_(2)]
    measured = {"test": "write", "metric": "throughput", "unit": "B/s", "values": [1e8, None, 2e8]}
    run = store_run(owner, {**document(results=[measured], visibility="public"), "rounds": rounds})

    shapes = [attributes for tag, attributes in read(client.get(run.get_absolute_url())).elements if tag == "path"]

    assert [shape["class"] for shape in shapes if "class" in shape] == ["centre", "dots", "absent"]
    result_page = read(client.get(f"{run.get_absolute_url()}results/0/"))
    assert [shape["class"] for tag, shape in result_page.elements if tag == "circle"] == ["dot", "dot"]
