"""The remains of a frozen table or surface after the deletion of a run: none of that run's figures."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User

from benchdb.compare.content_json import from_json, to_json
from benchdb.compare.permalinks.services import evaluated
from benchdb.compare.redaction import redacted
from tests.support.comparing.comparisons import MEANS, compared_runs, ids, surface_run
from tests.support.documents import MIB, environment, target

# These depend on all verdicts of a table, because of the correction. They reveal no figure.
OF_THE_FAMILY = ("p_adjusted", "why", "rounds_for_precision", "rounds_to_decide")
NAMES = list(MEANS)


def table(owner: User, deleted: str, changed: float = 1.0) -> tuple[dict[str, Any], dict[str, str]]:
    """A table of the same runs, with changed figures of one of them, and the ids of its runs by name."""
    means = {**MEANS, deleted: MEANS[deleted] * changed}
    runs = compared_runs(owner, means, record_sizes=(MIB, 16 * MIB))
    return to_json(evaluated("table", ids(runs), owner)), dict(zip(means, (str(run.id) for run in runs), strict=True))


def left_of(content: dict[str, Any], deleted: set[str]) -> Any:
    """The JSON of what is left of a content without the figures of these runs; None if nothing is."""
    left = redacted(from_json(content), deleted)
    return left and to_json(left)


def said(content: Any, names: dict[str, str]) -> str:
    """A content as text, with names in place of the runs' ids."""
    text = json.dumps(_without(content), sort_keys=True)
    for name, run in names.items():
        text = text.replace(run, f"ID of {name}")
    return text


def _without(content: Any) -> Any:
    if isinstance(content, dict):
        return {name: _without(value) for name, value in content.items() if name not in OF_THE_FAMILY}
    return [_without(each) for each in content] if isinstance(content, list) else content


def floats(content: Any) -> Iterator[float]:
    if isinstance(content, float):
        yield content
    elif isinstance(content, dict | list):
        for each in content.values() if isinstance(content, dict) else content:
            yield from floats(each)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_left_is_the_same_whatever_was_measured(owner: User, name: str) -> None:
    first, of_first = table(owner, name)
    second, of_second = table(owner, name, changed=1.2345)
    assert said(first, of_first) != said(second, of_second)

    left = said(left_of(first, {of_first[name]}), of_first)

    assert left == said(left_of(second, {of_second[name]}), of_second)
    assert f"ID of {name}" not in left


@pytest.mark.parametrize("name", NAMES)
def test_the_others_keep_every_figure(owner: User, name: str) -> None:
    content, runs = table(owner, name)

    left = left_of(content, {runs[name]})

    assert name in [row["label"] for row in rows(content) if row["cells"]]
    for before, after in zip(rows(content), rows(left), strict=True):
        assert after["label"] == before["label"]
        for was, cell in zip(before["cells"], after["cells"], strict=True):
            if before["label"] == name:
                assert (cell["status"], cell["mean"], cell["values"]) == ("deleted", None, None)
            else:
                assert {**cell, "verdict": 0, "best": 0} == {**was, "verdict": 0, "best": 0}


def rows(content: dict[str, Any]) -> list[dict[str, Any]]:
    return [row for group in content["groups"] for row in group["rows"]]


def test_nothing_is_compared_with_a_baseline_that_is_gone(owner: User) -> None:
    content, runs = table(owner, "ext4")

    left = left_of(content, {runs["ext4"]})

    verdicts = [cell["verdict"] for row in rows(left) for cell in row["cells"] if cell.get("verdict")]
    assert {(verdict["kind"], verdict["reason"]) for verdict in verdicts} == {("none", "deleted")}
    assert not [number for verdict in verdicts for number in floats(verdict)]


def test_verdicts_of_others_stay(owner: User) -> None:
    content, runs = table(owner, "btrfs")

    left = left_of(content, {runs["btrfs"]})

    kinds = {
        row["label"]: {cell["verdict"]["kind"] for cell in row["cells"]} for row in rows(left) if row["label"] == "xfs"
    }
    assert kinds == {"xfs": {"better"}}


def test_again_it_changes_nothing(owner: User) -> None:
    content, runs = table(owner, "xfs")

    once = left_of(content, {runs["xfs"]})

    assert left_of(once, {runs["xfs"]}) == once
    assert left_of(content, set()) == content
    assert left_of(content, {"0198aaaa-0000-7000-8000-000000000000"}) == content


def test_nothing_is_left_of_nothing(owner: User) -> None:
    content, runs = table(owner, "xfs")

    assert left_of(content, set(runs.values())) is None
    assert left_of(left_of(content, {runs["ext4"], runs["xfs"]}), {runs["btrfs"]}) is None


def test_a_cell_where_several_runs_meet_goes_with_one_of_them(owner: User) -> None:
    first, second = compared_runs(owner, {"ext4": 1e8, "xfs": 2e8}), compared_runs(owner, {"ext4": 1.1e8})
    content = to_json(evaluated("table", ids([*first, *second]), owner))

    left = left_of(content, {str(second[0].id)})

    assert {row["label"]: [cell["status"] for cell in row["cells"]] for row in rows(left)} == {
        "ext4": ["deleted", "deleted"],
        "xfs": ["ok", "ok"],
    }
    assert left["runs"] == [str(run.id) for run in first]


def test_a_surface_of_one_run_goes_with_it(owner: User) -> None:
    run = surface_run(owner)
    assert left_of(to_json(evaluated("surface", ids([run]), owner)), {str(run.id)}) is None


def test_of_two_surfaces_the_other_one_stays(owner: User) -> None:
    runs = [surface_run(owner, rounds=3), surface_run(owner, rounds=3, file_system="xfs")]
    content = to_json(evaluated("surface", ids(runs), owner))
    alone = to_json(evaluated("surface", ids(runs[1:]), owner))

    left = left_of(content, {str(runs[0].id)})

    assert (left["ratio"], [surface["run"] for surface in left["surfaces"]]) == (None, [str(runs[1].id)])
    assert left["surfaces"][0]["cells"] == alone["surfaces"][0]["cells"]
    assert str(runs[0].id) not in json.dumps(left)


def test_rivals_may_differ_along_two_axes(owner: User) -> None:
    """If rows and columns are the factor, one cell is the baseline, also for cells in another row and column."""
    means = {"ext4": 1e8, "xfs": 2e8}
    runs = [run for value in ("0", "1") for run in compared_runs(owner, means, labels={"barrier": value})]
    query = f"{ids(runs)}&columns=label:barrier&factor=file_system,label:barrier&test=write&split=none"
    content = to_json(evaluated("table", query, owner))
    across = rows(content)[1]["cells"][1]
    assert (across["verdict"]["kind"], across["best"]) == ("better", True)

    left = left_of(content, {str(runs[0].id)})

    kinds = [cell["verdict"]["kind"] for row in rows(left) for cell in row["cells"] if cell.get("verdict")]
    assert kinds == ["none"] * 3
    assert not any(cell.get("best") for row in rows(left) for cell in row["cells"])
    assert not left["findings"]


@pytest.mark.parametrize("axes", ["rows=test&columns=kernel", "rows=test&columns=record_size&split=none"])
def test_what_differs_is_not_told_where_nobody_can_say_of_which_run(owner: User, axes: str) -> None:
    runs = []
    for i, scheduler in enumerate(("none", "kyber", "bfq")):
        kernel = {**environment(), "kernel": {"name": "Linux", "release": f"6.{i}"}}
        target_ = {**target(), "scheduler": scheduler}
        runs += compared_runs(owner, {"ext4": 1e8 * (1 + i)}, environment=kernel, target=target_)
    content = to_json(evaluated("table", f"{ids(runs)}&{axes}", owner))
    assert "kyber" in json.dumps(content["differences"])

    assert "kyber" not in json.dumps(left_of(content, {str(runs[1].id)}))
