"""`/questions/facts/`: the facts that explain the variance, and the effects of a designed campaign."""

import csv
from itertools import combinations
from math import exp
from unittest.mock import patch

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.questions import explained, facts
from benchdb.runs import costs
from benchdb.runs.listing.filters import FACETS
from tests.questions.simulated import (
    EFFECTS,
    INTERACTION,
    configurations,
    designed_campaign,
    measured,
    on_machine,
    storage,
)
from tests.support.comparing.components import page_of
from tests.support.documents import GIB
from tests.support.html import read
from tests.support.made import make_all
from tests.support.many import copy_run
from tests.support.store import make_user, store_run
from tests.texts import missing_in

HOSTILE = "<script>alert(1)</script>"


def test_a_designed_campaign_recovers_its_known_effects(client: Client, owner: User) -> None:
    campaign = designed_campaign(owner)
    configurations(owner, 1, {"xfs": 0.0})  # runs of others do not count

    answer = client.get(f"/questions/facts.json?campaign={campaign}").json()["answer"]

    assert (answer["runs"], answer["machines"]) == (32, 1)
    effects = {" × ".join(each["labels"]): each for each in answer["effects"]}
    assert set(effects) >= set(EFFECTS)
    assert len(effects) == len(EFFECTS) + len(list(combinations(EFFECTS, 2)))
    truths = {name: EFFECTS.get(name, 0.0) for name in effects}
    (together,) = (name for name in effects if "scheduler" in name and "sync" in name)
    truths[together] = INTERACTION
    for name, truth in truths.items():
        found = effects[name]
        assert found["called"] == (truth != 0), name
        assert not found["called"] or found["p_adjusted"] < 0.05
    assert sum(found["low"] <= exp(truths[name]) <= found["high"] for name, found in effects.items()) >= 13
    for name in (*EFFECTS, together):
        assert effects[name]["low"] <= exp(truths[name]) <= effects[name]["high"], name
    assert effects["mount option sync"]["second"] == ["with"]
    assert 0.01 < answer["noise"] < 0.08
    shares = {each["facts"][0]: each["alone"]["share"] for each in answer["facts"]}
    assert max(shares, key=lambda name: shares[name]) == "mount_option.sync"


def test_the_page_of_a_designed_campaign_marks_the_effects(client: Client, owner: User) -> None:
    campaign = designed_campaign(owner)

    page = page_of(client, f"/questions/facts/?campaign={campaign}")

    rows = {row[0].text: [cell.text for cell in row[1:]] for row in page.tables["Effects of a designed campaign"][1:]}
    sync = rows["mount option sync with ÷ without"]
    assert sync[0].startswith("● called ")
    assert sync[0].endswith(" slower")
    assert sync[3] == "< 0.001"
    assert "called" not in rows["read-ahead 2 MiB ÷ 1 MiB"][0]
    assert not missing_in(page.text, "32 runs on 1 machine", "not for other machines")
    assert f"campaign={campaign}" in page.links["JSON"]


def test_opposite_options_are_one_fact_with_a_short_name(client: Client, owner: User) -> None:
    pairs = (
        ["barrier", "delalloc", "relatime", "data=ordered"],
        ["nobarrier", "nodelalloc", "noatime", "data=journal"],
    )
    rng = np.random.default_rng(4)
    for run in range(16):
        store_run(owner, results=measured(0.4 * (run % 2), rng), target=storage(options=pairs[run % 2]))

    page = page_of(client, "/questions/facts/")

    (fact,) = page.tables["Shares of the variance"][1:]
    assert fact[0].text == "mount option atime, barrier, data, delalloc always changed together, cannot be separated"
    (effect,) = page.tables["Effects of a designed campaign"][1:]
    compared = (
        "atime relatime, barrier with, data ordered, delalloc with ÷ atime noatime, barrier without, data journal"
    )
    assert f"{compared}, delalloc without" in effect[0].text


def test_facts_that_changed_together_are_one_line_and_the_machine_explains_its_memory(
    client: Client, owner: User
) -> None:
    configurations(owner, 8, {"ext4": 0.0, "xfs": 0.3})

    page = page_of(client, "/questions/facts/")

    rows = {row[0].text: [cell.text for cell in row[1:]] for row in page.tables["Shares of the variance"][1:]}
    assert set(rows) == {"machine", "file system"}
    assert "The intervals allow for other machines" in page.text
    assert rows["machine"][-1] == "8"
    assert float(rows["machine"][0].removesuffix(" %")) > 90
    assert len(page.tables["Effects of a designed campaign"]) == 2  # a head and the file system


@pytest.mark.parametrize("machines", [11, 12])
def test_facts_that_only_tell_few_machines_apart_are_left_out(client: Client, owner: User, machines: int) -> None:
    for number in range(machines):
        sections = on_machine(number, memory=(8 + number % 2) * GIB)
        for run in range(2):
            results = measured(number + 0.01 * run, np.random.default_rng([number, run]))
            store_run(owner, rounds=3, results=results, **sections)

    page = page_of(client, "/questions/facts/")

    shown = {row[0].text.partition(" follows")[0] for row in page.tables["Shares of the variance"][1:]}
    assert shown == {"machine", "memory"} if machines == 12 else shown == {"machine"}
    left_out = (
        "Left out, because they only tell machines apart: memory; to say what such a fact explains takes 12 machines"
    )
    assert (left_out in page.text) is (machines < 12)
    assert client.get("/questions/facts.json").json()["answer"]["few_machines"] == ["memory"] * (machines < 12)


def test_csv_has_a_line_for_each_fact_and_effect(client: Client, owner: User) -> None:
    campaign = designed_campaign(owner)

    answer = client.get(f"/questions/facts.csv?campaign={campaign}")

    lines = list(csv.DictReader(answer.content.decode().splitlines()))
    assert [line["kind"] for line in lines].count("effect") == 15
    assert {line["facts"] for line in lines if line["kind"] == "fact"} >= {"scheduler", "mount_option.sync"}
    assert all(None not in line for line in lines)
    assert answer["Content-Type"].startswith("text/csv")


@pytest.mark.parametrize("form", ["", ".json", ".csv"])
@pytest.mark.parametrize("name", ["best", "facts"])
def test_only_runs_that_the_reader_may_list_count(client: Client, owner: User, name: str, form: str) -> None:
    configurations(owner, 1, {"ext4": 0.0})
    store_run(owner, file_system="secretfs", visibility="private")
    store_run(make_user("eve"), file_system="secretfs", visibility="unlisted")
    address = f"/questions/{name}{form or '/'}"

    assert b"secretfs" not in client.get(address).content
    assert b"secretfs" not in client.get(f"{address}?test=write").content


@pytest.mark.parametrize("form", ["/", ".json"])
def test_a_worker_answers_with_many_facts_for_those_who_may_list_the_same_runs(
    client: Client, owner: User, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    designed_campaign(owner)
    secret = measured(1.0, np.random.default_rng(1))
    store_run(owner, results=secret, target=storage(file_system="secretfs"), visibility="private")
    address = f"/questions/facts{form}"
    at_once = client.get(address)
    monkeypatch.setattr(costs, "FACT", 1.0)

    for may_list, become in ((33, lambda: client.force_login(owner)), (32, client.logout)):
        become()
        waiting = client.get(address)  # whatever is kept for the reader before
        assert (waiting.status_code, waiting["Retry-After"]) == (202, "2")
        assert "The answer is being made" in waiting.content.decode()
        make_all()
        answer = client.get(address).content.decode()
        assert (f"{may_list} runs on 1 machine" if form == "/" else f'"runs":{may_list},') in answer
    assert read(client.get(address)).text == read(at_once).text


@pytest.mark.parametrize("name", ["best", "facts"])
def test_the_number_of_queries_does_not_grow(client: Client, owner: User, name: str) -> None:
    runs = configurations(owner, 3, {"ext4": 0.0, "xfs": 0.1})
    client.get(f"/questions/{name}/?like={runs[0].machine_id}")

    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            page_of(client, f"/questions/{name}/?like={runs[0].machine_id}")
        return len(found)

    few = queries()
    with connection.cursor() as cursor:
        copy_run(cursor, str(runs[0].pk), 200)
    assert queries() == few
    assert few <= 16


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("metric=speed", "Possible are throughput"),
        ("file_size=big", "It is a size such as 64K"),
        ("threads=many", "It is a whole number"),
        ("params=[1]", "It is a JSON object"),
        ("params={", "It is a JSON object"),
        ("disk_kind=tape", "Possible are nvme, ssd, rotational, virtual."),
        ("near_memory=-1", "It is a size"),
        ("near_threads=½", "It is a whole number"),
        ("like=9999999", "No listed run is of a machine with this number."),
        ("vary=colour", "Possible are file_system"),
        ("tool=fio&tool=iozone", "“tool” takes one value, not 2."),
        ("nonsense=1", "There is no filter nonsense."),
        ("campaign=1", "It is the id of a campaign."),
        (f"metric={HOSTILE}", "Possible are throughput"),
    ],
)
@pytest.mark.parametrize("name", ["best", "facts"])
def test_every_fault_is_said_on_the_page_and_in_files(
    client: Client, owner: User, name: str, query: str, fault: str
) -> None:
    other = "" if query.startswith("like=") else "&since=yesterday"  # machines are looked up last
    page = client.get(f"/questions/{name}/?{query}{other}")
    text = read(page, 400).text
    assert fault in text
    assert ("yesterday" in text) == bool(other)
    assert b"<script>alert" not in page.content
    file = client.get(f"/questions/{name}.json?{query}")
    assert file.status_code == 400
    assert fault in file.content.decode()


@pytest.mark.parametrize("name", ["best", "facts"])
def test_what_no_run_has_is_said_with_what_there_is(client: Client, owner: User, name: str) -> None:
    assert "No runs yet" in page_of(client, f"/questions/{name}/").text
    configurations(owner, 1, {"ext4": 0.0})

    size = page_of(client, f"/questions/{name}/?file_size=8G")
    assert not missing_in(size.text, "No run with this file size", "1 GiB file")
    page_of(client, size.links["What most runs have"])
    tool = page_of(client, f"/questions/{name}/?tool=fio&near_memory=1G")
    assert "No run matches" in tool.text
    assert client.get(f"/questions/{name}.csv?tool=fio").status_code == 404
    assert client.get(f"/questions/{name}.xml").status_code == 404
    assert client.get("/questions/other.csv").status_code == 404


def test_few_or_equal_runs_have_nothing_to_explain(client: Client, owner: User) -> None:
    configurations(owner, 1, {"ext4": 0.0})

    assert "There is nothing to explain" in page_of(client, "/questions/facts/").text


def test_only_options_of_several_runs_are_facts_and_at_most_so_many() -> None:
    """Six hundred runs with 256 options of their own took a minute and a gigabyte."""
    own = [(*("ro" for _ in range(run % 2)), f"both={run % 2}", *(f"o{run}.{i}" for i in range(9))) for run in range(6)]
    common = [tuple(f"c{i}=x{run % 3}" for i in range(facts.MOST_OPTIONS + 20)) for run in range(6)]

    with patch.object(facts, "_numbers", wraps=facts._numbers) as sorts:
        few, many = (facts._options(FACETS["mount_option"], np.arange(6), each) for each in (own, common))

    assert [fact.name for fact in few] == ["mount_option.both", "mount_option.ro"]
    assert [fact.codes.tolist() for fact in few] == [[0, 1] * 3] * 2
    assert [fact.values for fact in few] == [["0", "1"], ["without", "with"]]
    assert len(many) == facts.MOST_OPTIONS
    assert sorts.call_count == 2 * 2 + 3 * facts.MOST_OPTIONS


def test_a_request_with_many_options_leaves_them_unread_to_a_worker(
    client: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    configurations(owner, 2, {"ext4": 0.0, "xfs": 0.3})
    at_once = read(client.get("/questions/facts/")).text
    monkeypatch.setattr(costs, "OPTION", 1.0)
    with patch.object(explained, "facts_of", side_effect=AssertionError):
        assert client.get("/questions/facts/").status_code == 202

    make_all()

    assert read(client.get("/questions/facts/")).text == at_once
