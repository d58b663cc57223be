"""An archive of result directories that mmtests wrote: its iterations are rounds, its runs are runs."""

from collections import Counter
from pathlib import PurePosixPath

import pytest
from django.contrib.auth.models import User

from benchdb.ingest.imports.documents import planned
from benchdb.ingest.imports.unpack import GivenFile
from benchdb.ingest.models import Import
from benchdb.runs.models import Run, RunState
from tests.agents.formats.texts import GOLDEN, golden
from tests.support.imports import IOZONE, begun, stored, tar
from tests.support.store import stored_rows

ARCHIVE = GOLDEN / "archives/mmtests.tar.xz"
RUNS, BENCHMARKS = ("after", "before"), Counter({"dbench": 2, "fio": 1, "fs_mark": 2})


@pytest.fixture
def draft(owner: User) -> Import:
    return begun(owner, GivenFile("log.tar.xz", ARCHIVE.read_bytes()))


def labels_of(stored_import: Import) -> list[str]:
    return [state.labels["run"] for state in RunState.objects.filter(run__in=stored_import.run_ids)]


def test_iterations_are_rounds_in_their_order_and_runs_are_runs(draft: Import) -> None:
    runs = Run.objects.with_context().filter(pk__in=stored(draft).run_ids)

    folders = {
        run.pk: [PurePosixPath(file["name"]).parts[2:4] for file in run.extra["import"]["files"]] for run in runs
    }
    assert all([iteration for _, iteration in files] == ["iter-0", "iter-1"] for files in folders.values())
    assert Counter((folders[run.pk][0][0], run.tool) for run in runs) == Counter(
        {(name, tool): count for name in RUNS for tool, count in BENCHMARKS.items()}
    )
    assert {(run.tool, run.round_count) for run in runs} == {("dbench", 2), ("fio", 2), ("fs_mark", 6)}
    assert Counter(labels_of(draft)) == Counter({name: BENCHMARKS.total() for name in RUNS})


def test_each_iteration_has_a_value(draft: Import) -> None:
    runs = Run.objects.with_context().filter(pk__in=stored(draft).run_ids, tool="dbench")

    values = [row["values"] for run in runs for row in stored_rows(run.pk, 1) if row["test"] == "dbench"]
    assert len(values) >= len(RUNS) * BENCHMARKS["dbench"]
    assert all(len(row) == 2 and None not in row for row in values)


@pytest.mark.parametrize(("how", "count"), [("own", 10), ("folders", 10), ("rounds", 10)])
def test_no_choice_makes_different_runs_rounds_of_one(draft: Import, how: str, count: int) -> None:
    runs = planned(list(draft.files.light()), how)

    folders = [{PurePosixPath(file.name).parts[:3] for file in run.files} for run in runs]
    assert all(len(of_run) == 1 for of_run in folders)
    assert len(runs) == count


def test_copies_of_other_logs_are_listed_and_not_read(draft: Import) -> None:
    copies = [name for name, reason in draft.notes if reason.startswith("mmtests repeats lines")]

    assert len(copies) == 2 * 2 * (3 + 2 * 3)
    assert not draft.files.filter(name__contains="benchlog").exists()


def test_iterations_with_different_work_are_different_runs(owner: User) -> None:
    text = golden(IOZONE)
    texts = {
        "a/iter-10/iozone/logs/iozone.log": text + "\n",
        "a/iter-9/iozone/logs/iozone.log": text,
        "a/iter-8/iozone/logs/iozone.log": golden("iozone-flags.txt"),
    }
    draft = begun(owner, GivenFile("a.tar", tar({name: text.encode() for name, text in texts.items()})))

    found = [[file.name for file in run.files] for run in planned(list(draft.files.light()), "own")]
    assert sorted(found) == [
        ["a/iter-8/iozone/logs/iozone.log"],
        ["a/iter-9/iozone/logs/iozone.log", "a/iter-10/iozone/logs/iozone.log"],
    ]


def test_a_label_of_the_person_counts(draft: Import) -> None:
    assert set(labels_of(stored(draft, labels="run = mine"))) == {"mine"}


@pytest.mark.parametrize(("number", "characters"), [(64, 1), (10, 194)])
def test_as_many_labels_as_a_run_may_have_leave_no_room_for_another(
    draft: Import, number: int, characters: int
) -> None:
    labels = "\n".join(f"name-{i} = {'x' * characters}" for i in range(number))
    states = RunState.objects.filter(run__in=stored(draft, labels=labels).run_ids)
    assert {(len(state.labels), "run" in state.labels) for state in states} == {(number, False)}


@pytest.mark.parametrize("how", ["own", "folders", "rounds"])
def test_a_copy_of_an_iteration_is_no_further_round(owner: User, how: str) -> None:
    text = golden(IOZONE).encode()
    names = ("iter-1", "iter-01", "iter-2")
    files = {f"a/{name}/iozone/logs/iozone.log": text + b"\n" * at for at, name in enumerate(names)}
    draft = begun(owner, GivenFile("a.tar", tar(files)))

    assert [len(run.files) for run in planned(list(draft.files.light()), how)] == [2, 1]
