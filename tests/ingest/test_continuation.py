"""A run that continues another one takes its place, and only if it is the same measurement."""

import copy
import re
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.test import Client

from benchdb.compare.query.runs import selected_runs
from benchdb.compare.query.selection import Selection
from benchdb.ingest.contract import FaultyDocument, validate
from benchdb.runs.models import Run, RunState, Visibility
from benchdb.runs.services import edit, reinstate
from benchdb.stats.comparing.looks import share_of_look
from tests.support.documents import document, encoded, result, uuid7
from tests.support.html import read
from tests.support.store import make_token, make_user, store_run

EARLIER, LATER = [100.0e6, 101.0e6, 99.0e6], [102.0e6, 98.0e6, 100.0e6]

pytestmark = pytest.mark.django_db


def first(**sections: Any) -> dict[str, Any]:
    return document(
        rounds=3, results=[result(EARLIER)], campaign={"id": str(uuid7()), "point": "ext4/iozone"}, **sections
    )


def continuing(earlier: dict[str, Any], *, look: int = 2, **sections: Any) -> dict[str, Any]:
    """The document of the same measurement with three more rounds."""
    rounds = copy.deepcopy(earlier["rounds"])
    later = [{**each, "position": each["position"] + len(rounds)} for each in copy.deepcopy(rounds)]
    return {
        **copy.deepcopy(earlier),
        "run_id": str(uuid7()),
        "rounds": rounds + later,
        "results": [result(EARLIER + LATER)],
        "continues": {"run_id": earlier["run_id"], "look": look, "rounds": len(rounds)},
        **sections,
    }


def faults_of(owner: User, content: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(FaultyDocument) as refused:
        store_run(owner, content)
    return {fault.pointer: fault.expected for fault in refused.value.faults}


def test_it_takes_the_place_of_the_run_that_it_continues(owner: User) -> None:
    earlier = first()
    store_run(owner, earlier)
    run = store_run(owner, continuing(earlier))
    assert (run.continues, run.look, run.round_count) == (UUID(earlier["run_id"]), 2, 6)
    assert [listed.pk for listed in Run.objects.listed_for(owner)] == [run.pk]
    replaced = Run.objects.with_context().get(pk=earlier["run_id"])
    assert replaced.runstate.withdrawn_reason == "continued to 6 rounds"


def test_a_comparison_of_both_has_the_rounds_once(owner: User) -> None:
    earlier = first()
    old = store_run(owner, earlier)
    new = store_run(owner, continuing(earlier))
    both = selected_runs(Selection(runs=(old.pk, new.pk)), AnonymousUser())
    assert [run.pk for run in both] == [new.pk]


def test_it_can_be_continued_again(owner: User) -> None:
    earlier = first()
    store_run(owner, earlier)
    second = continuing(earlier)
    store_run(owner, second)
    third = {**continuing(second, look=3), "results": [result((EARLIER + LATER) * 2)]}
    assert store_run(owner, third).look == 3


def test_the_run_must_be_the_owners_own(owner: User) -> None:
    earlier, other = first(), make_user("eve")
    store_run(owner, earlier)
    assert list(faults_of(other, continuing(earlier))) == ["/continues/run_id"]
    assert (list(faults_of(owner, continuing(first()))), Run.objects.count()) == (["/continues/run_id"], 1)


def test_a_run_is_continued_once(owner: User) -> None:
    earlier = first()
    store_run(owner, earlier)
    newest = store_run(owner, continuing(earlier))
    assert faults_of(owner, continuing(earlier)) == {
        "/continues/run_id": f"a run that was not continued yet; continue {newest.pk}, which continues it"
    }


def test_every_difference_is_a_fault(owner: User) -> None:
    earlier = first()
    store_run(owner, earlier)
    content = continuing(earlier, look=4)
    content["machine"] = {"name": "other", "machine_id": "6b" * 32}
    content["environment"]["kernel"]["release"] = "9.9.9"
    content["target"] = document(file_system="xfs")["target"]
    content["workload"]["command"] = ["iozone", "-s", "2G"]
    content["protocol"]["cache"] = "warm"
    content["rounds"][0]["started_at"] = "2001-01-01T00:00:00+00:00"
    assert set(faults_of(owner, content)) == {
        "/continues/look",
        "/machine",
        "/environment",
        "/target",
        "/workload/command",
        "/protocol/cache",
        "/rounds",
    }
    assert Run.objects.count() == 1


@pytest.mark.parametrize(
    ("continues", "pointers"),
    [
        ({"look": 1}, ["/continues/look"]),
        ({"rounds": 6}, ["/continues/rounds"]),
        ({"rounds": 0}, ["/continues/rounds"]),
    ],
)
def test_the_contract_refuses_impossible_numbers(continues: dict[str, int], pointers: list[str]) -> None:
    content = continuing(first())
    content["continues"] |= continues
    with pytest.raises(FaultyDocument) as refused:
        validate(encoded(content))
    assert [fault.pointer for fault in refused.value.faults] == pointers


def test_a_run_cannot_continue_itself() -> None:
    content = continuing(first())
    content["continues"]["run_id"] = content["run_id"]
    with pytest.raises(FaultyDocument) as refused:
        validate(encoded(content))
    assert [fault.pointer for fault in refused.value.faults] == ["/continues/run_id"]


def test_the_page_and_the_api_say_which_look_it_is(client: Client, owner: User) -> None:
    earlier = first()
    store_run(owner, earlier)
    run = store_run(owner, continuing(earlier))
    answer = client.get(f"/api/v1/runs/{run.pk}").json()
    assert (answer["continues"], answer["look"]) == (earlier["run_id"], 2)
    assert "continues an earlier run" in read(client.get(run.get_absolute_url())).text
    old = read(client.get(f"/runs/{earlier['run_id']}/"))
    assert old.links["run that continues it"] == run.get_absolute_url()


def test_a_hidden_run_is_not_named_by_the_run_that_it_continues(client: Client, owner: User) -> None:
    earlier = first()
    store_run(owner, earlier)
    hidden = store_run(owner, continuing(earlier, visibility="unlisted"))
    for address in (f"/runs/{earlier['run_id']}/", f"/api/v1/runs/{earlier['run_id']}", "/runs/feed.atom"):
        assert str(hidden.pk) not in client.get(address).content.decode(), address


def test_an_unlisted_run_is_not_named_by_the_run_that_continues_it(client: Client, owner: User) -> None:
    earlier = first(visibility="unlisted")
    store_run(owner, earlier)
    address = f"/api/v1/runs/{store_run(owner, continuing(earlier, visibility='public')).pk}"
    for token, told in (("", False), (f"Bearer {make_token(owner)[1]}", True)):
        for of_run in (address, f"{address}/document"):
            answer = client.get(of_run, headers={"Authorization": token} if token else {})
            assert (earlier["run_id"] in answer.content.decode()) == told, of_run


def test_a_run_stays_in_lists_until_its_readers_see_the_one_that_continues_it(client: Client, owner: User) -> None:
    earlier = first(visibility="unlisted")
    old = store_run(owner, earlier)
    run = store_run(owner, continuing(earlier, visibility="private"))
    assert client.get(f"/api/v1/runs/{old.pk}").json()["withdrawn"] is None
    for visibility, withdrawn in ((Visibility.PRIVATE, False), (Visibility.UNLISTED, True)):
        edit(run, {}, visibility)
        assert (RunState.objects.get(pk=old.pk).withdrawn_at is not None) == withdrawn
    reinstate(old)
    edit(run, {"plan": "new"}, Visibility.UNLISTED)
    assert RunState.objects.get(pk=old.pk).withdrawn_at is None, "a change of labels undoes no decision of the owner"


def test_only_the_owner_reads_the_command_for_more_rounds(client: Client, owner: User) -> None:
    run = store_run(owner, first())
    assert 'id="further"' not in client.get(run.get_absolute_url()).content.decode()
    client.force_login(owner)
    page = client.get(run.get_absolute_url()).content.decode()
    command = re.search('<code id="further">(.*?)</code>', page, re.DOTALL)
    assert command is not None
    assert re.sub("<.*?>", "", command[1]) == f"benchagent run --continue {run.pk}"


def test_a_table_spends_the_error_of_its_look(client: Client, owner: User) -> None:
    earlier = first()
    store_run(owner, earlier)
    run = store_run(owner, continuing(earlier))
    other = store_run(owner, file_system="xfs", rounds=6, results=[result([1.3 * value for value in EARLIER + LATER])])
    (group,) = client.get(f"/compare/table.json?run={run.pk}&run={other.pk}").json()["groups"]
    verdict = group["rows"][1]["cells"][0]["verdict"]
    assert verdict["look"] == 2
    assert verdict["p_adjusted"] == pytest.approx(min(1, verdict["p"] / share_of_look(np.array(2))))
