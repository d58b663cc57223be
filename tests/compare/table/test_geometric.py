"""Geometric means of a table: pairs of rounds and campaigns, several machines, and what a mean rests on."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client
from scipy import stats

from benchdb.compare.content_json import to_json
from benchdb.compare.query.selection import Selection
from benchdb.compare.table.evaluate import evaluate
from benchdb.compare.table.present import show_geometric_means
from benchdb.runs.models import Run
from tests.support.comparing.comparisons import campaign, ids
from tests.support.documents import GIB, MIB, document, result
from tests.support.html import read
from tests.support.store import store_run
from tests.texts import missing_in

TESTS = ("write", "read", "rewrite")
RNG = np.random.default_rng(8)
NOISE = RNG.normal(0, 0.02, (2, len(TESTS), 8))
DAYS = RNG.normal(0, 0.2, 8)
PROTOCOL = document()["protocol"]


def logarithms(gain: float, side: int, rounds: int = 8) -> Any:
    """The logarithms of a side's values (tests, rounds); both sides share the good and bad moments of the rounds."""
    return np.log(1e8 * (1 + gain)) + (DAYS + NOISE[side])[:, :rounds]


def run(owner: User, file_system: str, logs: Any, tests: Sequence[str] = TESTS, **sections: Any) -> Run:
    results = [
        result(np.exp(line).tolist(), test, file_size=32 * GIB, record_size=MIB)
        for test, line in zip(tests, logs, strict=True)
    ]
    return store_run(owner, file_system=file_system, rounds=logs.shape[1], results=results, **sections)


def content_of(owner: User, runs: Sequence[Run], query: str = "") -> dict[str, Any]:
    return to_json(evaluate(Selection.parse(f"{ids(runs)}&{query}"), owner)[0])


def two_runs(owner: User, rounds: int = 8, **sections: Any) -> list[Run]:
    return [
        run(owner, name, logarithms(0.1 * side, side, rounds), **sections) for side, name in enumerate(("ext4", "xfs"))
    ]


def test_rounds_of_one_campaign_are_pairs(owner: User) -> None:
    (means,) = content_of(owner, two_runs(owner, campaign=campaign()))["geometric_means"]

    differences = (logarithms(0.1, 1) - logarithms(0, 0)).mean(axis=0)
    at_first_look = 1 - 0.05 * 0.98
    low, high = np.exp(stats.ttest_1samp(differences, 0).confidence_interval(at_first_look))
    assert means["device"]["pairs"] == 8
    assert (means["device"]["low"], means["device"]["high"]) == (pytest.approx(low), pytest.approx(high))


@pytest.mark.parametrize(
    "sections",
    [{}, {"campaign": campaign(), "protocol": {**PROTOCOL, "order": "sequential"}}],
    ids=["of no campaign", "measured one after the other"],
)
def test_other_rounds_are_no_pairs(owner: User, sections: dict[str, Any]) -> None:
    (means,) = content_of(owner, two_runs(owner, **sections))["geometric_means"]

    assert means["device"]["pairs"] == 0
    assert means["device"]["low"] < 1 < means["device"]["high"]


def test_rounds_of_two_campaigns_are_no_pairs(owner: User) -> None:
    runs = [run(owner, name, logarithms(0, i), campaign=campaign()) for i, name in enumerate(("ext4", "xfs"))]

    assert content_of(owner, runs)["geometric_means"][0]["device"]["pairs"] == 0


def test_runs_of_the_same_campaigns_are_compared_in_pairs(owner: User) -> None:
    runs = []
    for day, gain in zip(DAYS[:4], (0.1, 0.12, 0.09, 0.11), strict=True):
        of_day = campaign()
        for i, name in enumerate(("ext4", "xfs")):
            runs.append(run(owner, name, logarithms(gain * i, i) + day, campaign=of_day))

    content = content_of(owner, runs)

    verdict = content["groups"][0]["rows"][1]["cells"][0]["verdict"]
    assert (verdict["method"], verdict["kind"]) == ("paired_by_campaign", "better")
    assert verdict["why"].endswith("Runs of the same campaign are compared in pairs.")
    assert content["geometric_means"][0]["device"]["pairs"] == 4


def test_where_one_failed_the_cells_of_the_others_count(owner: User) -> None:
    failure = {"status": "failed", "error": "No space left on device", "file_size": 32 * GIB, "record_size": MIB}
    whole = [*np.exp(logarithms(0, 0)[1:])]
    results = [
        result([*line], test, file_size=32 * GIB, record_size=MIB) for test, line in zip(TESTS[1:], whole, strict=True)
    ]
    full = store_run(owner, file_system="btrfs", rounds=8, results=[result([None] * 8, TESTS[0], **failure), *results])

    means = {each["row"]: each["device"] for each in content_of(owner, [*two_runs(owner), full])["geometric_means"]}

    assert {row: mean["cells"] for row, mean in means.items()} == {"xfs": 3, "btrfs": 2}
    assert means["xfs"]["ratio"] == pytest.approx(1.1, rel=0.02)
    assert means["btrfs"]["ratio"] == pytest.approx(1.0)


def test_a_mean_that_rests_on_one_test_says_so(client: Client, owner: User) -> None:
    logs = logarithms(0, 1)
    logs[2] += np.log(1.5)
    shared = campaign()
    runs = [run(owner, "ext4", logarithms(0, 0), campaign=shared), run(owner, "xfs", logs, campaign=shared)]

    (warning,) = content_of(owner, runs)["geometric_means"][0]["device"]["warnings"]

    assert (warning["code"], warning["numbers"]) == ("rests_on_one_test", {"test": "rewrite"})
    assert warning["text"].startswith("Rests on rewrite: without it")
    assert warning["text"] in client.get(f"/compare/?{ids(runs)}").content.decode()


def on_machines(owner: User, gains: Sequence[float]) -> list[Run]:
    runs = []
    for number, gain in enumerate(gains):
        sections = {
            "campaign": campaign(),
            "machine": {"name": f"epyc-{number}", "machine_id": f"{number:02x}" * 32},
        }
        runs += [run(owner, name, logarithms(gain * i, i), **sections) for i, name in enumerate(("ext4", "xfs"))]
    return runs


QUERY = "rows=file_system&split=machine&columns=test&factor=file_system"


def test_several_machines_have_a_mean_and_an_expectation(client: Client, owner: User) -> None:
    runs = on_machines(owner, [0.1, 0.2, 0.15, -0.1])

    (across,) = content_of(owner, runs, QUERY)["across_machines"]

    effects = np.log1p([0.1, 0.2, 0.15, -0.1]) + (NOISE[1] - NOISE[0]).mean()
    assert (across["row"], across["measured"], across["machines"], across["cells"]) == ("xfs", "device", 4, 3)
    assert across["holds_on"] == 3
    assert across["ratio"] == pytest.approx(np.exp(effects.mean()))  # the errors of the machines are equal
    expected = stats.t.interval(0.95, 3, effects.mean(), effects.std(ddof=1) * np.sqrt(1 + 1 / 4))
    assert (across["expected_low"], across["expected_high"]) == pytest.approx(tuple(np.exp(expected)))
    text = read(client.get(f"/compare/?{ids(runs)}&{QUERY}")).text
    assert not missing_in(text, "on average of 4 machines", "holds on 3 of 4")


def test_two_machines_are_too_few(owner: User) -> None:
    assert content_of(owner, on_machines(owner, [0.1, 0.2]), QUERY)["across_machines"] == []


def test_a_value_that_one_machine_lacks_has_no_mean_over_machines(owner: User) -> None:
    runs = on_machines(owner, [0.1, 0.2, 0.15])
    for number in range(2):
        machine = {"name": f"epyc-{number}", "machine_id": f"{number:02x}" * 32}
        runs.append(run(owner, "btrfs", logarithms(0.3, 1), campaign=campaign(), machine=machine))

    means = content_of(owner, runs, QUERY)["across_machines"]

    assert [(mean["row"], mean["machines"]) for mean in means] == [("xfs", 3)]


def test_machines_without_a_common_test_have_no_mean(owner: User) -> None:
    runs = []
    for number, test in enumerate(TESTS):
        machine = {"name": f"epyc-{number}", "machine_id": f"{number:02x}" * 32}
        runs += [
            run(owner, name, logarithms(0.1, side)[:1], [test], campaign=campaign(), machine=machine)
            for side, name in enumerate(("ext4", "xfs"))
        ]

    assert content_of(owner, runs, QUERY)["across_machines"] == []


def test_a_mean_without_bounds_is_left_out(owner: User) -> None:
    runs = []
    for number, gain in enumerate((-690, 0, 35)):  # nothing a device measures, but all a document may contain
        machine = {"name": f"epyc-{number}", "machine_id": f"{number:02x}" * 32}
        runs += [
            run(owner, name, NOISE[side] + gain * side, campaign=campaign(), machine=machine)
            for side, name in enumerate(("ext4", "xfs"))
        ]

    assert content_of(owner, runs, QUERY)["across_machines"] == []


def test_a_mean_over_machines_may_stand_alone(owner: User) -> None:
    """One machine has a value more, so no other mean has the cells of all values."""
    sections = [{"machine": {"name": f"epyc-{i}", "machine_id": f"{i:02x}" * 32}} for i in range(3)]
    logs = [logarithms(0.1 * side, side)[:1] for side in range(2)]
    runs = [run(owner, name, logs[i], ["write"], **of) for of in sections for i, name in enumerate(("ext4", "xfs"))]
    runs.append(run(owner, "btrfs", logs[1], ["write"], **sections[0]))
    content = evaluate(Selection.parse(f"{ids(runs)}&{QUERY}"), owner)[0]

    means = show_geometric_means(content)

    assert means is not None
    assert (means.rows, len(means.machines)) == ([], 1)
