"""Campaigns that repeat a plan on another machine: judged by a worker, shown to readers who may see both."""

import csv
import json
from io import StringIO
from math import inf
from random import Random

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.plans.models import Campaign
from benchdb.reproductions import reading, tasks
from benchdb.reproductions.content import packed, unpacked
from benchdb.reproductions.models import Reproduction
from benchdb.reproductions.services import MOST_OTHERS, judge_campaign
from benchdb.reproductions.tasks import sweep
from benchdb.runs.models import Run, RunState
from tests.reproductions.measured import SHOWN, store_measured
from tests.support.documents import GIB
from tests.support.html import Page, read
from tests.support.store import make_user

FASTER = {name: 3 * mean for name, mean in SHOWN.items()}
REVERSED = {"ext4": 300.0, "xfs": 240.0, "btrfs": 303.0}


def page_of(client: Client, address: str) -> Page:
    return read(client.get(address))


def rows_of(page: Page, name: str) -> list[list[str]]:
    return [[cell.text for cell in row] for row in page.tables[name][1:]]


def pair_address(original: Campaign, repetition: Campaign) -> str:
    return f"/campaigns/{repetition.pk}/repeats/{original.pk}/"


def test_conclusions_of_a_slower_machine_are_reproduced_on_a_faster_one(client: Client, owner: User) -> None:
    original = store_measured(owner, "first")
    repetition = store_measured(make_user("eve"), "second", FASTER, memory=32 * GIB)

    with CaptureQueriesContext(connection) as queries:
        sweep()

    assert not [query["sql"] for query in queries if '"runs_run"."rounds"' in query["sql"]]
    expected = ["✓ reproduced", "2 of 2 conclusions reproduced"]
    assert rows_of(page_of(client, f"/campaigns/{original.pk}/"), "repeated-on") == [
        ["second", "20 Nov 2026", "repetition", *expected]
    ]
    page = page_of(client, f"/campaigns/{repetition.pk}/")
    assert rows_of(page, "repeated-on") == [["first", "20 Nov 2026", "original", *expected]]
    pair = page_of(client, page.links["2 of 2 conclusions reproduced"])
    assert "✓ Reproduced: 2 of 2 conclusions reproduced." in pair.text
    assert [row[0] for row in rows_of(pair, "Conclusions")] == ["xfs against ext4", "btrfs against ext4"]
    assert rows_of(pair, "Severe differences") == [["memory", "8 GiB", "32 GiB"]]
    assert "Figures" not in pair.tables

    run = Run.objects.get(campaign_id=original.pk, target__file_system="xfs")
    again = Run.objects.get(campaign_id=repetition.pk, target__file_system="xfs")
    assert "Repeated on second: ✓ reproduced, 2 of 2" in page_of(client, f"/runs/{run.pk}/").text
    page = page_of(client, f"/runs/{again.pk}/")
    assert "Repeats a campaign on first: ✓ reproduced, 2 of 2" in page.text
    assert page.links["Compare the two runs"] == f"/compare/?run={again.pk}&run={run.pk}"


@pytest.mark.parametrize(
    ("means", "results", "answer", "counts"),
    [
        (REVERSED, 833, "✗ Not reproduced", "1 of 2 conclusions reproduced, 1 not"),
        ({"ext4": 300.0, "xfs": 360.0}, 1, "✓ Reproduced", "1 of 1 conclusion reproduced"),
        ({"ext4": 300.0}, 1, "? Undecided", "no conclusion to reproduce"),
        (
            REVERSED,
            834,
            "? Undecided",
            "not compared, because their runs have more than 5\N{NARROW NO-BREAK SPACE}000 results in all",
        ),
    ],
)
def test_answers_of_other_figures(
    client: Client, owner: User, means: dict[str, float], results: int, answer: str, counts: str
) -> None:
    original = store_measured(owner, "first")
    repetition = store_measured(owner, "second", means, memory=32 * GIB)
    RunState.objects.update(result_count=results)
    sweep()
    assert f"{answer}: {counts}." in page_of(client, pair_address(original, repetition)).text


def test_figures_of_like_machines_are_compared(client: Client, owner: User) -> None:
    original = store_measured(owner, "first")
    repetition = store_measured(owner, "second", {**SHOWN, "xfs": 140.0})
    sweep()
    page = page_of(client, pair_address(original, repetition))
    assert [(row[0], row[1]) for row in rows_of(page, "Figures")] == [
        ("xfs", "✗ not reproduced"),
        ("ext4", "✓ reproduced"),
        ("btrfs", "✓ reproduced"),
    ]
    assert "2 of 3 figures reproduced, 1 not." in page.text


@pytest.mark.parametrize(
    ("pairs", "sections"),
    [
        (0, {"settings": {"order": "rotated", "cache": "warm", "seed": 7, "rounds": 10, "min_rounds": 2}}),
        (0, {"workloads": [{"name": "iozone", "tool": "iozone", "summary": "file size 2 GiB"}]}),
        (1, {"settings": {"order": "shuffled", "cache": "cold", "seed": 8, "rounds": 30, "min_rounds": 2}}),
        (1, {"plan": {"name": "other", "text": "# other", "sha256": "0" * 64}}),
    ],
)
def test_only_the_same_plan_is_repeated_whatever_its_rounds_and_comments(
    owner: User, pairs: int, sections: dict[str, object]
) -> None:
    for name, more in [("first", {}), ("first", {}), ("second", sections)]:
        store_measured(owner, name, **more)
    sweep()
    assert Reproduction.objects.count() == pairs  # with the campaign next before it, not with each


def test_nobody_takes_all_places_of_others(owner: User) -> None:
    store_measured(owner, "first")
    eve = make_user("eve")
    for name in map(str, range(2 * MOST_OTHERS)):
        store_measured(eve, name, {"ext4": 1.0} if int(name) % 2 else {})
    store_measured(make_user("bob"), "last")
    sweep()
    assert Reproduction.objects.filter(original__owner=owner, repetition__machine__name="last").exists()


def test_nobody_displaces_what_others_repeated(client: Client, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    original, eve = store_measured(owner, "first"), make_user("eve")
    for name, account in [("second", make_user("bob")), ("third", eve), ("fourth", eve)]:
        store_measured(account, name)
    sweep()
    monkeypatch.setattr(reading, "MOST", 2)
    rows = rows_of(page_of(client, f"/campaigns/{original.pk}/"), "repeated-on")
    assert [row[0] for row in rows] == ["fourth", "second"]


def test_accounts_take_turns(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, account in [("first", make_user("eve")), ("second", owner), ("third", owner)]:
        store_measured(account, name)
    monkeypatch.setattr(tasks, "CAMPAIGNS_AT_ONCE", 2)
    sweep()
    assert Campaign.objects.get(judged_at=None).machine.name == "second"


def test_campaigns_that_kill_the_sweep_are_not_first_again_and_are_given_up(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(campaign: Campaign, until: float) -> bool:
        raise MemoryError(campaign.machine.name)

    names = [store_measured(owner, name).machine.name for name in ("first", "second")]
    monkeypatch.setattr(tasks, "judge_campaign", killed)
    for name in names[::-1] * 2:
        with pytest.raises(MemoryError, match=name):
            sweep()
    assert sweep() == 0


def test_a_campaign_of_many_pairs_continues_in_the_next_sweep(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("first", "second", "third"):
        store_measured(owner, name)
    monkeypatch.setattr(tasks, "SECONDS", 0)
    pairs = []
    while Campaign.objects.filter(judged_at=None):
        assert sweep() >= 1
        pairs.append(Reproduction.objects.count())
    assert pairs == [0, 1, 2, 3]


def test_private_campaigns_are_not_revealed(client: Client, owner: User) -> None:
    original = store_measured(owner, "first")
    hidden = store_measured(owner, "second", visibility="private")
    stranger = store_measured(make_user("eve"), "third", visibility="private")
    sweep()

    page = page_of(client, f"/campaigns/{original.pk}/")
    assert "second" not in page.text
    assert "repeated-on" not in page.tables
    assert client.get(pair_address(original, hidden)).status_code == 404
    assert client.get(f"{pair_address(original, hidden)[:-1]}.csv").status_code == 404
    assert client.get(f"/api/v1/campaigns/{original.pk}/reproductions").json() == {"reproductions": []}
    assert client.get(f"/api/v1/campaigns/{hidden.pk}/reproductions/{original.pk}").status_code == 404
    client.force_login(owner)
    assert [row[0] for row in rows_of(page_of(client, f"/campaigns/{original.pk}/"), "repeated-on")] == ["second"]
    assert not Reproduction.objects.filter(repetition=stranger).exists()


@pytest.mark.parametrize("judged", [(2, 1, 0), (0, 1, 2)], ids=["sent late", "of the same account"])
def test_a_private_campaign_hides_no_pair_of_public_ones(client: Client, owner: User, judged: tuple[int, ...]) -> None:
    other = make_user("eve") if judged[0] else owner
    campaigns = [store_measured(owner, "first"), store_measured(owner, "first", visibility="private")]
    campaigns.append(store_measured(other, "second"))
    for number in judged:
        judge_campaign(campaigns[number], inf)
    assert client.get(pair_address(campaigns[0], campaigns[2])).status_code == 200


@pytest.mark.parametrize("change", [{"visibility": "private"}, {"withdrawn_at": "2026-11-26T10:00:00Z"}])
def test_a_hidden_run_hides_the_answer_until_a_worker_has_left_it_out(
    client: Client, owner: User, change: dict[str, str]
) -> None:
    original, repetition = store_measured(owner, "first"), store_measured(owner, "second", FASTER)
    sweep()
    run = Run.objects.get(campaign_id=repetition.pk, target__file_system="btrfs")
    RunState.objects.filter(pk=run.pk).update(**change)

    assert client.get(pair_address(original, repetition)).status_code == 404
    sweep()
    assert "1 of 1 conclusion reproduced" in page_of(client, pair_address(original, repetition)).text


def test_nothing_is_computed_twice_and_late_runs_count(owner: User) -> None:
    store_measured(owner, "first")
    store_measured(owner, "second", {"ext4": 300.0})
    sweep()
    with CaptureQueriesContext(connection) as captured:
        sweep()
    assert not [query for query in captured if "runs_summary" in query["sql"]]
    assert sweep() == 0
    repetition = Reproduction.objects.get().repetition
    late = store_measured(owner, "second", {"xfs": 360.0})
    Run.objects.filter(campaign_id=late.pk).update(campaign_id=repetition.pk)
    Campaign.objects.filter(pk=late.pk).delete()
    sweep()
    assert Reproduction.objects.get().reproduced == 1


def test_more_repetitions_take_no_more_queries(client: Client, owner: User) -> None:
    def queries(address: str) -> int:
        client.get(address)  # keeps what its first reader needs one query more for
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address).status_code == 200
        return len(captured)

    original = store_measured(owner, "first")
    run = Run.objects.get(campaign_id=original.pk, target__file_system="xfs")
    store_measured(owner, "second")
    sweep()
    addresses = [f"/campaigns/{original.pk}/", f"/runs/{run.pk}/", f"/api/v1/campaigns/{original.pk}/reproductions"]
    one = [queries(address) for address in addresses]
    store_measured(owner, "third")
    Campaign.objects.filter(pk=original.pk).update(judged_at=None)
    sweep()
    assert len(client.get(addresses[2]).json()["reproductions"]) == 2
    assert [queries(address) for address in addresses] == one


def test_csv_and_api_have_every_conclusion(client: Client, owner: User) -> None:
    original, repetition = store_measured(owner, "first"), store_measured(owner, "second", REVERSED)
    sweep()
    text = client.get(f"{pair_address(original, repetition)[:-1]}.csv").content.decode()
    rows = list(csv.DictReader(StringIO(text)))
    answers = {(row["kind"], row["target"]): (row["answer"], row["verdict"], row["verdict_again"]) for row in rows}
    assert answers["conclusion", "xfs"] == ("not_reproduced", "better", "worse")
    assert answers["figure", "ext4"] == ("not_reproduced", "", "")
    detail = client.get(f"/api/v1/campaigns/{repetition.pk}/reproductions/{original.pk}").json()
    assert (detail["answer"], detail["not_reproduced"]) == ("not_reproduced", 1)
    assert float(rows[0]["repetition_ratio"]) == detail["content"]["conclusions"][0]["repetition"]["ratio"]


def test_a_conclusion_takes_few_bytes(owner: User) -> None:
    store_measured(owner, "first"), store_measured(owner, "second")
    sweep()
    content = Reproduction.objects.get().content
    random = Random(1)
    ratios = [{name: random.random() for name in ("ratio", "low", "high")} for _ in range(1500)]
    content["conclusions"] = [
        {**content["conclusions"][0], "original": ratios[i], "repetition": ratios[i + 1], "change": ratios[i + 2]}
        for i in range(0, 1500, 3)
    ]
    content["figures"] = []

    stored = packed(content)

    assert unpacked(stored) == content
    assert len(stored) < 500 * 120 < len(json.dumps(content)) / 4
