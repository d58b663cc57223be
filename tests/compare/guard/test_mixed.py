"""Cells over several machines, disks or workloads: words and a link in place of a number."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.query.selection import Selection
from benchdb.compare.table.content import TableContent, cells
from benchdb.compare.table.evaluate import evaluate
from benchdb.runs.models import Run
from tests.compare.table.test_default_rows import NVME, machine, measured, workload
from tests.support.comparing.comparisons import ids
from tests.support.documents import environment, target
from tests.support.html import read
from tests.support.store import make_user


def by_file_system(owner: User, runs: list[Run], *, query: str = "rows=file_system") -> TableContent:
    """The table of these runs with file systems as rows."""
    return evaluate(Selection.parse(query).replace(runs=tuple(run.id for run in runs)), owner)[0]


def on_machines(owner: User) -> list[Run]:
    """ext4 on two machines, xfs on the first."""
    first, second = machine("a", "1"), machine("b", "2")
    return [
        measured(owner, machine=first),
        measured(owner, 2e8, machine=second),
        measured(owner, 3e8, machine=first, file_system="xfs"),
    ]


def on_disks(owner: User) -> list[Run]:
    """The same file system on two disks of one machine."""
    disks = {**environment(), "block_devices": [*environment()["block_devices"], NVME]}
    stacks = ([{"kind": "disk", "model": NVME["model"]}], [{"kind": "disk", "model": "ST4000NM0035"}])
    return [measured(owner, environment=disks, target={**target(), "stack": stack}) for stack in stacks]


def test_a_cell_over_two_machines_has_words_and_no_figure(owner: User) -> None:
    content = by_file_system(owner, on_machines(owner))

    mixed, single = (placed.cell for placed in cells(content))
    assert (mixed.status, mixed.text.shown, mixed.splits) == ("mixed", "2 machines", "machine")
    assert (mixed.n, mixed.mean, mixed.sd, mixed.values, mixed.best) == (None, None, None, None, False)
    assert single.verdict is not None
    assert (single.verdict.kind, single.verdict.reason) == ("none", "mixed")
    assert not any(placed.cell.best for placed in cells(content))
    assert content.geometric_means == []
    assert not any("better" in finding.text or "worse" in finding.text for finding in content.findings)


def test_machines_with_one_name_and_two_owners_are_two(owner: User) -> None:
    content = by_file_system(owner, [measured(owner), measured(make_user("bob"))])

    assert [placed.cell.text.shown for placed in cells(content)] == ["2 machines"]


def test_disks_and_workloads_are_not_pooled_either(owner: User) -> None:
    synced = [measured(owner, workload=workload(sync=sync)) for sync in ("none", "dsync", "sync")]

    assert [placed.cell.text.shown for placed in cells(by_file_system(owner, on_disks(owner)))] == ["2 disks"]
    [placed] = cells(by_file_system(owner, synced))
    assert (placed.cell.text.shown, placed.cell.splits) == ("3 workloads", "parameter:sync")


def test_a_mount_option_is_pooled_if_the_reader_asks_for_it(owner: User) -> None:
    mounted = [{**target(), "mount": {"options": ["rw", *options]}} for options in ((), ("noatime",))]

    [placed] = cells(by_file_system(owner, [measured(owner, target=each) for each in mounted]))

    assert (placed.cell.n, placed.cell.status) == (2, "ok")
    assert [warning.code for warning in placed.cell.warnings if warning.code == "runs_differ"]


@pytest.mark.parametrize("query", ["", "&columns=test&split=none"])
def test_the_link_in_the_cell_splits_it(client: Client, owner: User, query: str) -> None:
    runs = on_machines(owner)

    page = read(client.get(f"/compare/?{ids(runs)}&rows=file_system{query}"))

    cell = page.tables["comparison"][1][1]
    assert cell.text == "2 machines split"
    split = read(client.get(str(cell.href)))
    labels = [row[0].text for row in split.tables["comparison"][1:]]
    assert labels == ["ext4 · a baseline", "ext4 · b baseline", "xfs · a"]


@pytest.mark.parametrize("form", ["md", "html", "tex", "csv"])
def test_exports_print_the_words(client: Client, owner: User, form: str) -> None:
    runs = on_machines(owner)

    text = client.get(f"/compare/table.{form}?{ids(runs)}&rows=file_system").content.decode()

    assert "2 machines" in text
