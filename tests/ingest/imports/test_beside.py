"""Logs of fio in an import: series of the run of their output, or a run of their own."""

import json

import pytest
from django.contrib.auth.models import User

from benchagent import formats
from benchdb.ingest.imports.documents import planned
from benchdb.ingest.imports.unpack import GivenFile
from benchdb.ingest.models import FileState, Import
from benchdb.ingest.reparse import reparse
from benchdb.runs.models import Artifact, Result, RoundSeries, Run
from benchdb.runs.store.archive import content_of
from benchdb.runs.store.round_series import points_of
from tests.support.html import read
from tests.support.imports import begun, signed_in, stored
from tests.support.store import stored_rows
from tests.texts import missing_in


def output(*names: str, bandwidth: int = 1000) -> bytes:
    """The JSON of sequential jobs that read at random for 4 s each."""
    options = {"rw": "randread", "bs": "4k", "size": "1m"}
    jobs = [
        {
            "jobname": name,
            "groupid": group,
            "job_runtime": 4000,
            "job options": options,
            "read": {"io_bytes": 4096000, "bw": bandwidth, "iops": 250.0, "runtime": 4000},
        }
        for group, name in enumerate(names)
    ]
    return json.dumps({"fio version": "fio-3.33", "jobs": jobs}, indent=1).encode()


def log(value: int = 100, steps: int = 4, step: int = 1000) -> bytes:
    """A log of means."""
    return "".join(f"{step * number}, {value}, 0, 0, 0\n" for number in range(1, steps + 1)).encode()


def given(contents: dict[str, bytes]) -> list[GivenFile]:
    return [GivenFile(name, content) for name, content in contents.items()]


def runs_of(draft: Import) -> list[Run]:
    assert draft.faults == []
    by_id = Run.objects.with_context().in_bulk(draft.run_ids)
    return [by_id[run_id] for run_id in draft.run_ids]


def series_of(run: Run) -> dict[tuple[int, str | None, str, float], list[float]]:
    """The points in base units by round, test, name and start; all have steps of a second."""
    rows = RoundSeries.objects.filter(run=run)
    assert {step for row in rows for step in row.steps} <= {1.0}
    return {
        (row.round, test, name, start): points_of(bytes(packed), scale).tolist()
        for row in rows
        for test, name, start, scale, packed in zip(
            row.tests, row.names, row.starts, row.scales, row.packed, strict=True
        )
    }


def test_logs_are_series_of_the_run_of_their_output(owner: User) -> None:
    contents = {
        "a_bw.1.log": log(1),
        "a_iops.1.log": log(250),
        "a_lat.1.log": log(2000),
        "a_clat.1.log": log(1500),
        "b_bw.2.log": log(3),
        "out.json": output("a", "b"),
    }
    draft = begun(owner, *given(contents))
    assert set(draft.files.values_list("state", flat=True)) == {FileState.READ}
    page = read(signed_in(owner).get(draft.get_absolute_url()))
    assert "Store 1 run" in page.text
    assert page.text.count("Numbers over time of the tests in out.json.") == 5

    (run,) = runs_of(stored(draft))

    assert series_of(run) == {
        (0, "random_read", "bytes", 0.0): [1024.0, 2048.0, 3072.0, 4096.0],
        (0, "random_read", "bytes", 4.0): [3072.0, 6144.0, 9216.0, 12288.0],
        (0, "random_read", "operations", 0.0): [250.0, 500.0, 750.0, 1000.0],
        (0, "random_read", "latency_mean", 0.0): [pytest.approx(2e-6)] * 4,
    }
    assert set(Result.objects.filter(run=run).values_list("test", flat=True)) == {"random_read"}
    kept = {each.name.removeprefix("logs/"): content_of(each) for each in Artifact.objects.filter(run=run)}
    assert kept == {f"round-1/{name}": content for name, content in contents.items()}
    assert not reparse(run.pk).changed
    assert "Mean latency" in read(signed_in(owner).get(f"{run.get_absolute_url()}inside/")).text


def test_logs_without_an_output_are_a_run_with_their_mean_values(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    draft = begun(owner, *given({"my job_bw.1.log": log(2), "my job_iops.1.log": log(7), "b_bw.log": log()}))

    run, other = runs_of(stored(draft, runs="rounds"))

    assert (run.tool, run.tool_version, run.round_count, other.round_count) == ("fio", None, 1, 1)
    rows = stored_rows(run.pk, 1)
    values = {(row["test"], row["metric"]): list(row["values"]) for row in rows}
    assert values == {("read", "throughput"): [2048.0], ("read", "rate"): [7.0]}
    assert [row["params"] for row in rows] == [{"job": "my_job", "process": 1, "rw": "unknown"}] * 2
    assert set(series_of(run)) == {(0, "read", name, 0.0) for name in ("bytes", "operations")}
    monkeypatch.setattr(formats, "PARSER_VERSION", "next")
    assert str(reparse(run.pk)).endswith("the same as before")


def test_processes_of_one_log_are_added_up(owner: User) -> None:
    (run,) = runs_of(stored(begun(owner, *given({f"a_iops.{number}.log": log(number) for number in (1, 2, 3)}))))

    assert series_of(run) == {(0, "read", "operations", 0.0): [6.0, 12.0, 18.0, 24.0]}
    assert sorted(row["values"][0] for row in stored_rows(run.pk, 1)) == [1, 2, 3]


def plan_of(draft: Import, how: str = "own", left_out: tuple[int, ...] = ()) -> list[list[str]]:
    return [[file.name for file in run.files] for run in planned(list(draft.files.light()), how, left_out)]


def test_each_log_belongs_to_the_only_output_of_its_folder_that_names_it(owner: User) -> None:
    outputs = {f"{folder}/out.json": output("a", bandwidth=ord(folder)) for folder in "xy"}
    folders = outputs | {f"{folder}/a_bw.1.log": log(ord(folder)) for folder in "xy"}
    draft = begun(owner, *given(folders))
    assert plan_of(draft) == [["x/out.json", "x/a_bw.1.log"], ["y/out.json", "y/a_bw.1.log"]]
    assert plan_of(draft, left_out=(0,)) == [["y/out.json", "y/a_bw.1.log"], ["x/a_bw.1.log"]]
    (run,) = runs_of(stored(draft, runs="rounds"))
    assert {key[0]: points[0] for key, points in series_of(run).items()} == {
        number: 1024.0 * ord(folder) for number, folder in enumerate("xy")
    }

    two = begun(owner, *given({"1.json": output("a"), "2.json": output("a", "b"), "a_bw.1.log": log()}))
    assert plan_of(two) == [["1.json"], ["2.json"], ["a_bw.1.log"]], "either can have written it"
    repeated = begun(
        owner, *[GivenFile("a_bw.1.log", log(value)) for value in (1, 2)], GivenFile("a_iops.1.log", log())
    )
    assert plan_of(repeated) == [["a_bw.1.log", "a_iops.1.log"], ["a_bw.1.log"]]


def test_a_log_that_does_not_say_what_it_is_is_refused(owner: User) -> None:
    draft = begun(owner, GivenFile("pasted text", log()), GivenFile("old_lat.1.log", b"5, 1500, 1, 4096\n"))

    page = read(signed_in(owner).get(draft.get_absolute_url())).text

    assert not missing_in(
        page,
        "only the name of its file says what its numbers are",
        "import it together with the output that fio printed",
        "add a line #[Unit: us] or #[Unit: ns] at its beginning",
    )


def test_the_output_has_the_version_by_which_older_logs_are_read(owner: User) -> None:
    older = b"".join(b"%d, 1500, 0, 0\n" % (1000 * number) for number in (1, 2, 3, 4))
    draft = begun(owner, *given({"a_lat.1.log": older, "out.json": output("a").replace(b"3.33", b"2.21")}))

    (run,) = runs_of(stored(draft))

    assert series_of(run) == {(0, "random_read", "latency_mean", 0.0): [pytest.approx(1.5e-3)] * 4}
    (alone,) = runs_of(stored(begun(owner, *given({"a_lat.1.log": older, "out.json": output("a")})), leave_out=[1]))
    assert [list(row["values"]) for row in stored_rows(alone.pk, 1)] == [[pytest.approx(1.5e-6)]]
    assert not reparse(alone.pk).refusal
