"""What is left of a frozen table or surface when one of its runs is deleted: nothing of that run's figures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User

from benchdb.compare.permalinks import evaluated
from benchdb.compare.redaction import redacted
from tests.support.comparisons import MEANS, compared_runs, ids, surface_run
from tests.support.documents import MIB

# Corrected over all verdicts of a table, so that they change with every one of them. They give no figure away.
OF_THE_FAMILY = ("p_adjusted", "why", "further_rounds")
NAMES = list(MEANS)


def table(owner: User, deleted: str, changed: float = 1.0) -> tuple[dict[str, Any], dict[str, str]]:
    """A table with the same runs each time but for the figures of one; and the ids of its runs by name."""
    means = {**MEANS, deleted: MEANS[deleted] * changed}
    runs = compared_runs(owner, means, record_sizes=(MIB, 16 * MIB))
    content = json.loads(json.dumps(evaluated("table", ids(runs), owner)))
    return content, dict(zip(means, (str(run.id) for run in runs), strict=True))


def said(content: Any, names: dict[str, str]) -> str:
    """A content as text, with names for the ids of its runs."""
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

    left = said(redacted(first, {of_first[name]}), of_first)

    assert left == said(redacted(second, {of_second[name]}), of_second)
    assert f"ID of {name}" not in left


@pytest.mark.parametrize("name", NAMES)
def test_the_others_keep_every_figure(owner: User, name: str) -> None:
    content, runs = table(owner, name)

    left = redacted(content, {runs[name]})

    for before, after in zip(rows(content), rows(left), strict=True):
        assert after["label"] == before["label"]
        for was, cell in zip(before["cells"], after["cells"], strict=True):
            if before["label"] == name:
                assert (cell["status"], cell["mean"], cell["values"]) == ("deleted", None, None)
                assert set(was) - {"verdict", "best"} <= set(cell)
            else:
                assert {**cell, "verdict": 0, "best": 0} == {**was, "verdict": 0, "best": 0}


def rows(content: dict[str, Any]) -> list[dict[str, Any]]:
    return [row for group in content["groups"] for row in group["rows"]]


def test_nothing_is_compared_with_a_baseline_that_is_gone(owner: User) -> None:
    content, runs = table(owner, "ext4")

    left = redacted(content, {runs["ext4"]})

    verdicts = [cell["verdict"] for row in rows(left) for cell in row["cells"] if cell.get("verdict")]
    assert {(verdict["kind"], verdict["reason"]) for verdict in verdicts} == {("none", "deleted")}
    assert not [number for verdict in verdicts for number in floats(verdict)]


def test_verdicts_of_others_stay(owner: User) -> None:
    content, runs = table(owner, "btrfs")

    left = redacted(content, {runs["btrfs"]})

    kinds = {
        row["label"]: {cell["verdict"]["kind"] for cell in row["cells"]} for row in rows(left) if row["label"] == "xfs"
    }
    assert kinds == {"xfs": {"better"}}


def test_again_it_changes_nothing(owner: User) -> None:
    content, runs = table(owner, "xfs")

    once = redacted(content, {runs["xfs"]})

    assert redacted(once, {runs["xfs"]}) == once
    assert redacted(content, set()) == content
    assert redacted(content, {"0198aaaa-0000-7000-8000-000000000000"}) == content


def test_nothing_is_left_of_nothing(owner: User) -> None:
    content, runs = table(owner, "xfs")

    left = redacted(content, set(runs.values()))

    assert left == {"schema": content["schema"], "runs": []}
    assert redacted(left, set(runs.values())) == left
    assert redacted(redacted(content, {runs["ext4"], runs["xfs"]}), {runs["btrfs"]}) == left


def test_a_cell_where_several_runs_meet_goes_with_one_of_them(owner: User) -> None:
    first, second = compared_runs(owner, {"ext4": 1e8, "xfs": 2e8}), compared_runs(owner, {"ext4": 1.1e8})
    content = json.loads(json.dumps(evaluated("table", ids([*first, *second]), owner)))

    left = redacted(content, {str(second[0].id)})

    assert {row["label"]: [cell["status"] for cell in row["cells"]] for row in rows(left)} == {
        "ext4": ["deleted", "deleted"],
        "xfs": ["ok", "ok"],
    }
    assert left["runs"] == [str(run.id) for run in first]


def test_a_surface_of_one_run_goes_with_it(owner: User) -> None:
    run = surface_run(owner)
    content = json.loads(json.dumps(evaluated("surface", ids([run]), owner)))

    assert redacted(content, {str(run.id)}) == {"schema": content["schema"], "runs": []}


def test_of_two_surfaces_the_other_one_stays(owner: User) -> None:
    runs = [surface_run(owner, rounds=3), surface_run(owner, rounds=3, file_system="xfs")]
    content = json.loads(json.dumps(evaluated("surface", ids(runs), owner)))
    alone = json.loads(json.dumps(evaluated("surface", ids(runs[1:]), owner)))

    left = redacted(content, {str(runs[0].id)})

    assert left["ratio"] is None
    assert [surface["run"] for surface in left["surfaces"]] == [str(runs[1].id)]
    found = [
        {k: v for k, v in cell.items() if k != "verdict"}
        for line in left["surfaces"][0]["cells"]
        for cell in line
        if cell
    ]
    assert found == [cell for line in alone["surfaces"][0]["cells"] for cell in line if cell]
    assert str(runs[0].id) not in json.dumps(left)
