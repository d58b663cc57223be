"""Raw output parsed again: misread values become right, and data that are not in the text are kept."""

import base64
import hashlib
import re
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from benchagent.formats import PARSER_VERSION
from benchdb.ingest.reparse import reparse
from benchdb.ingest.tasks import enqueue_unread, reparse_runs
from benchdb.runs.models import Artifact, Parse, Result, Run, RunState, State, Summary
from benchdb.runs.queries import measured
from benchdb.stats import STATISTICS_VERSION
from tests.agents.formats.texts import golden
from tests.support.documents import (
    MIB,
    artifact,
    bonnie_document,
    document,
    iozone_document,
    output_document,
    result,
    round_,
    uuid7,
)
from tests.support.store import store_run, stored_rows

Section = dict[str, Any]
LINE = re.compile(r"\d\.\d+,")  # a number of bonnie++


def elapsed(values: list[float | None]) -> Section:
    """A measurement of every run that is not in the text."""
    return result(values, "run", "elapsed", "s")


def as_read_before(sent: Section, change: Callable[[list[Section]], list[Section]]) -> Section:
    """The document from an agent with an older parser, whose results `change` returns."""
    workload = {**sent["workload"], "parser_version": "0"}
    return {**sent, "workload": workload, "results": [*change(sent["results"]), elapsed([12.5] * len(sent["rounds"]))]}


def doubled(results: list[Section]) -> list[Section]:
    """Misread by a factor of two."""
    return [{**each, "values": [value and value * 2 for value in each["values"]]} for each in results]


def rows(run: Run, parse: int) -> list[Section]:
    return stored_rows(run.pk, parse)


def test_what_was_misread_is_right_afterwards(owner: User) -> None:
    true = store_run(owner, as_read_before(iozone_document(visibility="public"), lambda results: results))
    run = store_run(owner, as_read_before(iozone_document(visibility="public"), doubled))

    outcome = reparse(run.pk)

    assert ((outcome.changed, outcome.refusal), rows(run, 2)) == ((396, ""), rows(true, 1))
    assert [entry.values for entry in measured([run.pk])] == [entry.values for entry in measured([true.pk])]
    assert list(Parse.objects.filter(run=run).order_by("number").values_list("number", "parser_version")) == [
        (1, "0"),
        (2, PARSER_VERSION),
    ]


def test_the_older_reading_stays_beside_it(owner: User) -> None:
    run = store_run(owner, as_read_before(bonnie_document(), doubled))
    before = rows(run, 1), list(Summary.objects.filter(parse=1).order_by("ordinal").values())

    reparse(run.pk)

    assert (rows(run, 1), list(Summary.objects.filter(parse=1).order_by("ordinal").values())) == before


def test_the_statistics_are_those_of_the_new_values(owner: User) -> None:
    run = store_run(owner, as_read_before(bonnie_document(), doubled))

    reparse(run.pk)

    entries = [entry for entry in measured([run.pk]) if entry.status == "ok"]
    assert entries
    assert {entry.statistics_version for entry in entries} == {STATISTICS_VERSION}
    assert [entry.mean for entry in entries] == [(entry.values or [None])[0] for entry in entries]
    state = RunState.objects.get()
    assert (state.state, state.current_parse, state.statistics_version) == (State.READY, 2, STATISTICS_VERSION)


def test_what_reads_the_same_stores_nothing(owner: User) -> None:
    run = store_run(owner, as_read_before(iozone_document(), lambda results: results))
    before = list(RunState.objects.values()), Result.objects.count()
    assert Parse.objects.unread().count() == 1

    outcome = reparse(run.pk)

    assert (outcome.changed, outcome.refusal) == (0, "")
    assert (list(RunState.objects.values()), Result.objects.count()) == before
    assert Parse.objects.values_list("checked_by", "refusal").get() == (PARSER_VERSION, "")
    assert Parse.objects.unread().count() == 0


def test_reading_twice_adds_one_parse(owner: User) -> None:
    run = store_run(owner, as_read_before(iozone_document(), doubled))

    assert [reparse(run.pk).changed, reparse(run.pk).changed] == [396, 0]

    assert (Parse.objects.count(), Parse.objects.unread().count()) == (2, 0)


def test_results_keep_their_numbers_and_new_ones_come_after_them(owner: User) -> None:
    def without_first_and_misnamed(results: list[Section]) -> list[Section]:
        return [{**results[1], "test": "misread"}, *results[2:]]

    sent = iozone_document()
    run = store_run(owner, as_read_before(sent, without_first_and_misnamed))
    before = {row["ordinal"]: (row["test"], row["file_size"], row["record_size"]) for row in rows(run, 1)}
    assert RunState.objects.get(run=run).result_count == len(before)

    assert reparse(run.pk).changed == 3  # two added, one removed

    after = {row["ordinal"]: (row["test"], row["file_size"], row["record_size"]) for row in rows(run, 2)}
    assert {number: cell for number, cell in after.items() if number < len(before)} == {
        number: cell for number, cell in before.items() if cell[0] != "misread"
    }
    assert sorted(set(after) - set(before)) == [396, 397]
    assert RunState.objects.get(run=run).result_count == len(after)
    assert [after[396][0], after[397][0]] == [entry["test"] for entry in sent["results"][:2]]


def test_what_no_text_can_give_is_carried_over(owner: User) -> None:
    given = result(None, "published", summary={"n": 3, "mean": 5.0, "sd": 0.5})
    failed = result([None], "mount", "elapsed", "s", status="failed", error="wrong fs type")
    sent = as_read_before(bonnie_document(), doubled)
    run = store_run(owner, {**sent, "results": [given, *sent["results"], failed]})
    texts = {"published", "mount", "run"}
    before = [row for row in rows(run, 1) if row["test"] in texts]

    assert reparse(run.pk).changed > 0

    assert [row for row in rows(run, 2) if row["test"] in texts] == before


def test_what_the_machine_saw_beside_a_result_stays_with_it(owner: User) -> None:
    seen = {"device_read_bytes": 5 * MIB, "user_seconds": 0.5, "cache_emptied": True}

    def seen_and_misnamed(results: list[Section]) -> list[Section]:
        return [{**entry, "evidence": seen, "test": f"old_{entry['test']}"} for entry in results]

    run = store_run(owner, as_read_before(bonnie_document(), seen_and_misnamed))

    assert reparse(run.pk).changed > 0

    evidence = [row["evidence"] for row in rows(run, 2) if row["artifacts"]]
    assert evidence
    assert all(seen.items() <= entry_evidence.items() for entry_evidence in evidence)


def test_bytes_that_the_text_counts_are_counted_anew(owner: User) -> None:
    true = store_run(owner, output_document(golden("fsload-direct.jsonl"), "round-1/fsload.jsonl", rounds=2))

    def miscounted(results: list[Section]) -> list[Section]:
        return [{**entry, "evidence": {**(entry["evidence"] or {}), "logical_bytes": 1}} for entry in results]

    sent = output_document(golden("fsload-direct.jsonl"), "round-1/fsload.jsonl", rounds=2)
    run = store_run(owner, as_read_before(sent, miscounted))

    assert reparse(run.pk).changed > 0

    assert [row["evidence"] for row in rows(run, 2)][:-1] == [row["evidence"] for row in rows(true, 1)]
    assert any(row["evidence"] for row in rows(true, 1))


def test_each_round_has_the_values_of_its_own_text(owner: User) -> None:
    text = golden("bonnie-three_runs.txt")
    lines = text.splitlines()
    sent = output_document(text, "bonnie.csv", rounds=3)
    run = store_run(owner, as_read_before(sent, doubled))

    assert reparse(run.pk).changed > 0

    first = rows(run, 2)[0]
    assert first["lines"] == [i + 1 for i, line in enumerate(lines) if LINE.match(line)]
    assert first["values"] == sent["results"][0]["values"]


def test_parameters_that_the_output_lacks_are_those_of_the_plan(owner: User) -> None:
    """bonnie++ 2.00 prints no chunk size; the agent that ran it knew it."""
    parameters = {"file_size": 128 * MIB, "chunk_size": 32768, "fsync": True}
    sent = bonnie_document()
    run = store_run(owner, {**sent, "workload": {**sent["workload"], "parameters": parameters}})

    assert reparse(run.pk).changed > 0

    found = {(row["test"], row["record_size"], row["params"].get("fsync")) for row in rows(run, 2) if row["lines"]}
    assert ("block_write", 32768, True) in found
    assert ("block_read", 32768, None) in found
    assert reparse(run.pk).changed == 0


def test_a_round_that_only_the_parser_failed_is_read_at_last(owner: User) -> None:
    sent = bonnie_document()
    why = "its output could not be read: line 1, column 1: this is no output of bonnie++"
    text = sent["artifacts"][0]["data"]
    run = store_run(
        owner,
        {
            **sent,
            "rounds": [round_(0), {**round_(1), "status": "failed", "error": why}],
            "results": [elapsed([12.5, None])],
            "artifacts": [artifact(f"round-{i}/bonnie.csv", text, "text/csv") for i in (1, 2)],
        },
    )

    assert reparse(run.pk).changed == len(sent["results"])

    read = [row for row in rows(run, 2) if row["status"] == "ok" and row["artifacts"]]
    assert all(row["values"][0] == row["values"][1] is not None for row in read)
    assert [row["values"] for row in rows(run, 2) if row["test"] == "run"] == [[12.5, None]]


def test_a_round_that_failed_gives_no_values_again(owner: User) -> None:
    sent = bonnie_document()
    failed = {**round_(1), "status": "failed", "error": "No space left on device"}
    text = sent["artifacts"][0]["data"]
    run = store_run(
        owner,
        {
            **sent,
            "rounds": [round_(0), failed],
            "results": [elapsed([12.5, None])],
            "artifacts": [
                artifact("round-1/bonnie.csv", text, "text/csv"),
                artifact("round-2/bonnie.csv", text, "text/csv"),
                artifact("round-2/bonnie.stderr.txt", text),
            ],
        },
    )

    reparse(run.pk)

    assert {row["values"][1] for row in rows(run, 2)} == {None}
    assert {row["error"] for row in rows(run, 2) if row["status"] == "ok" and row["artifacts"]} == {
        "round 2: No space left on device"
    }


def refused(run: Run) -> str:
    """The reason of a refusal, after checking that nothing has changed."""
    before = list(RunState.objects.values()), Result.objects.count(), Parse.objects.count()
    outcome = reparse(run.pk)
    assert outcome.changed == 0
    assert (list(RunState.objects.values()), Result.objects.count(), Parse.objects.count()) == before
    assert Parse.objects.values_list("checked_by", "refusal").get() == (PARSER_VERSION, outcome.refusal)
    return outcome.refusal


def test_refused_where_the_text_is_gone(owner: User) -> None:
    run = store_run(owner, as_read_before(bonnie_document(), doubled))
    Artifact.objects.all().delete()

    assert refused(run) == "the raw output bonnie.csv, which results were read from, is not kept."


def test_refused_where_there_never_was_a_text(owner: User) -> None:
    run = store_run(owner, document(results=[elapsed([1.0] * 3)], artifacts=[]))

    assert refused(run) == "no raw output of its tool is kept."


def test_refused_where_the_text_cannot_be_read_any_more(owner: User) -> None:
    run = store_run(owner)

    why = "the raw output iozone.txt can no longer be read: line 2, column 1: the unit is not stated"
    assert refused(run).startswith(why)


def test_refused_where_no_text_is_readable(owner: User) -> None:
    run = store_run(owner, bonnie_document(results=[elapsed([1.0])], artifacts=[artifact("notes.txt", "nothing")]))

    assert refused(run) == "its raw output holds nothing that our parser of this tool reads."


def test_refused_where_no_parser_knows_the_tool(owner: User) -> None:
    workload: Section = {"tool": "maintenance", "tool_version": None, "command": [], "parameters": {}}
    run = store_run(owner, document(workload=workload))

    assert (refused(run), Parse.objects.unread().count()) == ("no parser reads the output of maintenance.", 0)


def test_refused_where_values_and_rounds_do_not_match(owner: User) -> None:
    sent = output_document(golden("bonnie-three_runs.txt"), "bonnie.csv", rounds=3)
    run = store_run(owner, as_read_before(sent, doubled))
    one = next(line for line in golden("bonnie-three_runs.txt").splitlines() if LINE.match(line))
    Artifact.objects.update(content=one.encode())

    assert refused(run) == "bonnie.csv belongs to 3 rounds, and holds 1 values of block_write."


def test_refused_if_a_carried_result_breaks_the_contract_and_nothing_is_stored(owner: User) -> None:
    run = store_run(owner, as_read_before(bonnie_document(), doubled))
    broken = result([1.0], "broken")
    Result.objects.create(run=run, parse=1, ordinal=999, **broken, status="ok", params={})
    Result.objects.filter(ordinal=999).update(values=[1.0, 2.0])

    assert refused(run).startswith("the parser gives results that are refused: /results/offsets/")


def test_bytes_that_are_no_utf_8_are_read_as_the_agent_reads_them(owner: User) -> None:
    sent = bonnie_document()
    data = sent["artifacts"][0]["data"].encode() + b"\xff\xfe\n"
    raw = {
        "name": "bonnie.csv",
        "media_type": "text/csv",
        "encoding": "base64",
        "data": base64.b64encode(data).decode(),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    run = store_run(owner, as_read_before({**sent, "artifacts": [raw]}, doubled))

    assert reparse(run.pk).changed > 0


def test_a_run_that_is_not_there(db: None) -> None:
    assert reparse(uuid7()).refusal == "there is no such run."


@pytest.mark.parametrize("many", [False, True])
def test_it_takes_the_same_queries_for_any_number_of_results(
    owner: User, django_assert_num_queries: Any, *, many: bool
) -> None:
    sent = iozone_document() if many else bonnie_document()
    run = store_run(owner, as_read_before(sent, doubled))

    with django_assert_num_queries(22):
        reparse(run.pk)


def command(*arguments: str) -> str:
    out = StringIO()
    call_command("reparse", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_says_of_each_run_what_came_of_it(owner: User) -> None:
    changed = store_run(owner, as_read_before(iozone_document(), doubled))
    same = store_run(owner, iozone_document())
    out = StringIO()

    assert command(str(changed.pk), str(same.pk)) == (
        f"{changed.pk}: 396 results changed\n{same.pk}: the same as before\n"
    )
    with pytest.raises(CommandError, match=r"1 of 1 runs could not be read again\."):
        call_command("reparse", str(uuid7()), stdout=out)
    assert out.getvalue().endswith(": not read again: there is no such run.\n")


@pytest.mark.parametrize("arguments", [[], ["--all", str(uuid7())]])
def test_the_command_wants_runs_or_all(db: None, arguments: list[str]) -> None:
    with pytest.raises(CommandError, match="Name the runs to read again, or say --all"):
        call_command("reparse", *arguments)


def test_all_are_those_that_an_older_parser_read(owner: User) -> None:
    old = [store_run(owner, as_read_before(iozone_document(), doubled)) for _ in range(2)]
    new = iozone_document()
    store_run(owner, {**new, "workload": {**new["workload"], "parser_version": PARSER_VERSION}})

    assert (enqueue_unread(), reparse_runs([str(run.pk) for run in old])) == (2, 2)
    assert enqueue_unread() == 0
