"""Warnings about the order in which the runs of a table, or of a campaign, were measured."""

from uuid import UUID

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchagent.plan.rotation import order_of
from benchdb.compare.query.selection import Selection
from benchdb.compare.table.evaluate import evaluate
from benchdb.runs.models import Run
from tests.support.campaigns import campaign_document, ended, of_point, store_campaign
from tests.support.documents import GIB, MIB, document, result, round_, uuid7
from tests.support.store import store_run

pytestmark = pytest.mark.django_db
NAMES = ("ext4", "xfs", "btrfs", "f2fs")
ROUNDS = 10
FIXED = "Every round had the same order"
POSITION = "Values depend on the position in the round"


def runs_of(
    owner: User, order: str = "rotated", effect: float = 0.0, campaign: UUID | None = None, metric: str = "throughput"
) -> list[Run]:
    """A run a file system, measured in turns, in which each position of a round changes the value by `effect`."""
    protocol = {**document()["protocol"], "order": order}
    orders = [order_of(len(NAMES), number if order == "rotated" else 0) for number in range(ROUNDS)]
    rng, runs = np.random.default_rng(1), []
    for target, name in enumerate(NAMES):
        places = [row.index(target) for row in orders]
        values = [1e8 * (1 + effect * place) * (1 + rng.normal(0, 0.002)) for place in places]
        unit = "s" if metric == "elapsed" else "B/s"
        content = document(
            file_system=name,
            rounds=ROUNDS,
            results=[result(values, metric=metric, unit=unit, file_size=GIB, record_size=MIB)],
            protocol=protocol,
            visibility="public",
        )
        content["rounds"] = [round_(len(NAMES) * number + place) for number, place in enumerate(places)]
        if campaign is not None:
            content["campaign"] = of_point(campaign, f"{name}/iozone")
        runs.append(store_run(owner, content))
    return runs


def warnings_of(owner: User, runs: list[Run]) -> list[str]:
    content, _ = evaluate(Selection(runs=tuple(run.id for run in runs)), owner)
    return [warning.text for warning in content.warnings]


@pytest.mark.parametrize("order", ["interleaved", "sequential"])
def test_a_fixed_order_is_warned_of(owner: User, order: str) -> None:
    (warning,) = warnings_of(owner, runs_of(owner, order, effect=0.01, campaign=uuid7()))
    assert warning.startswith(FIXED)


def test_rotated_rounds_without_an_effect_have_no_warning(owner: User) -> None:
    assert warnings_of(owner, runs_of(owner, campaign=uuid7())) == []


def test_an_effect_of_the_position_is_warned_of_with_its_size(owner: User) -> None:
    (warning,) = warnings_of(owner, runs_of(owner, effect=-0.01, campaign=uuid7()))
    assert warning.startswith(f"{POSITION}: −1.0 % from one to the next (p = ")


def test_of_times_the_effect_is_that_of_the_time(owner: User) -> None:
    (warning,) = warnings_of(owner, runs_of(owner, effect=0.01, campaign=uuid7(), metric="elapsed"))
    assert warning.startswith(f"{POSITION}: +1.0 %")


def test_runs_of_different_campaigns_or_of_none_had_no_common_order(owner: User) -> None:
    apart = [run for name in range(2) for run in runs_of(owner, "interleaved", campaign=uuid7())[name : name + 1]]
    assert warnings_of(owner, apart) == []
    assert warnings_of(owner, runs_of(owner, "interleaved")[:2]) == []


def test_the_page_of_a_table_shows_the_warnings(client: Client, owner: User) -> None:
    runs = runs_of(owner, "interleaved", campaign=uuid7())
    page = client.get("/compare/", [("run", str(run.pk)) for run in runs])
    assert FIXED in page.content.decode()


@pytest.mark.parametrize(("order", "effect", "shown"), [("interleaved", 0, [FIXED]), ("rotated", -0.01, [POSITION]),
                                                        ("rotated", 0, [])])  # fmt: skip
def test_the_page_of_a_campaign_that_is_over_shows_them_too(
    client: Client, owner: User, order: str, effect: float, shown: list[str]
) -> None:
    announced = campaign_document(NAMES, ["iozone"])
    campaign = store_campaign(owner, announced)
    runs_of(owner, order, effect, campaign.pk)
    during = client.get(f"/campaigns/{campaign.pk}/").content.decode()
    store_campaign(owner, ended(announced))
    after = client.get(f"/campaigns/{campaign.pk}/").content.decode()
    assert not any(text in during for text in (FIXED, POSITION))
    assert [text for text in (FIXED, POSITION) if text in after] == shown
