"""Stored imports: all of their runs or none, only once, equal to other runs, and parsed again by newer parsers."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Event
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchagent import formats
from benchdb.catalog.models import Machine
from benchdb.http import work
from benchdb.ingest import services as ingest
from benchdb.ingest.contract import validate
from benchdb.ingest.imports import background, services
from benchdb.ingest.imports.beside import RunFiles
from benchdb.ingest.imports.documents import document, planned
from benchdb.ingest.imports.turns import try_lock
from benchdb.ingest.imports.unpack import GivenFile
from benchdb.ingest.models import FileState, Import, ImportFile, ImportState
from benchdb.ingest.reparse import reparse
from benchdb.runs.models import Artifact, Parse, Result, Run
from benchdb.runs.store.summaries import compute_summaries
from tests.agents.formats.texts import golden
from tests.support.api import table_sizes
from tests.support.html import read
from tests.support.imports import BONNIE, IOZONE, ROUNDS, begun, form_of, given, signed_in, stored
from tests.support.refusing import refuse_rows
from tests.support.store import make_user, stored_rows
from tests.support.threads import at_once


def run_of(draft: Import) -> Run:
    (run_id,) = draft.run_ids
    return Run.objects.with_context().get(pk=run_id)


def same_workload(count: int) -> list[GivenFile]:
    """Texts of the same workload with different values."""
    text = golden(IOZONE)
    return [
        GivenFile(f"r{number}/iozone.txt", text.replace("Run began:", f"Run {number} began:").encode())
        for number in range(count)
    ]


def test_every_value_of_the_text_is_stored_with_its_line(owner: User) -> None:
    parsed = formats.parse(golden(IOZONE))

    run = run_of(stored(begun(owner, *given(IOZONE))))

    kept = ("test", "file_size", "record_size", "values", "artifacts", "lines")
    rows = [tuple(row[name] for name in kept) for row in stored_rows(run.pk, 1)]
    (artifact,) = Artifact.objects.filter(run=run)
    assert rows == [
        (
            entry.test,
            entry.file_size,
            entry.record_size,
            list(entry.values),
            [artifact.name] * len(entry.lines),
            list(entry.lines),
        )
        for entry in parsed.results
    ]
    assert bytes(artifact.content) == golden(IOZONE).encode()
    assert (run.tool, run.tool_version) == ("iozone", parsed.tool_version)
    assert Parse.objects.get(run=run).parser_version == formats.PARSER_VERSION
    assert run.extra["import"]["files"] == [{"name": IOZONE, "artifact": artifact.name}]


def test_what_was_filled_in_is_declared_and_the_rest_unknown(owner: User) -> None:
    entered = {
        "memory": "8 GiB",
        "file_system": "ext4",
        "mkfs_command": "mkfs.ext4 -E stride=16 /dev/md0",
        "raid_level": "RAID 6",
        "raid_chunk": "128K",
        "disk_count": "12",
        "mount_options": "noatime, barrier=1",
        "measured_at": "2009-05-31",
        "cache": "cold",
        "labels": "kernel = patched\n",
        "visibility": "public",
    }

    run = run_of(stored(begun(owner, *given(IOZONE)), **entered))

    environment, target = run.environment.facts, run.target.facts
    assert (run.environment.memory, environment["provenance"]["/memory/total"]) == (8 << 30, "declared")
    assert (run.environment.cpu_model, environment["provenance"]["/cpu/model"]) == (None, "unknown")
    assert (run.target.file_system, run.target.raid_level, run.target.raid_chunk) == ("ext4", "raid6", 128 << 10)
    assert target["file_system"]["mkfs_command"] == ["mkfs.ext4", "-E", "stride=16"]
    assert [layer["kind"] for layer in target["stack"]] == ["raid", "disk"]
    assert (target["stack"][1]["facts"], run.target.mount_options) == ({"count": 12}, ["noatime", "barrier=1"])
    assert {target["provenance"][pointer] for pointer in ("/stack/0", "/mount/options", "/file_system/type")} == {
        "declared"
    }
    assert target["provenance"]["/scheduler"] == "unknown"
    assert (run.started_at, run.cache_regime) == (datetime(2009, 5, 31, tzinfo=UTC), "cold")
    assert (run.runstate.labels, run.runstate.visibility) == ({"kernel": "patched"}, "public")


def test_the_machine_is_the_owners_of_that_name(owner: User) -> None:
    machine = Machine.objects.create(owner=owner, machine_id="ab" * 32, name="epyc-2")
    Machine.objects.create(owner=make_user("eve"), machine_id="cd" * 32, name="old-1")

    first, second = begun(owner, *given(IOZONE)), begun(owner, *given(BONNIE))
    assert run_of(stored(first, machine="epyc-2")).machine == machine
    new = run_of(stored(second)).machine
    assert (new.name, new.owner) == ("old-1", owner)
    assert run_of(stored(begun(owner, *given(ROUNDS)))).machine == new


def test_a_text_of_several_runs_gives_as_many_rounds(owner: User) -> None:
    run = run_of(stored(begun(owner, *given(ROUNDS))))

    assert (run.round_count, {len(row.values) for row in Result.objects.filter(run=run)}) == (3, {3})


def test_files_are_runs_of_their_own_or_rounds_of_one(owner: User) -> None:
    separate = stored(begun(owner, *same_workload(3)))
    rounds = stored(begun(owner, *same_workload(3)), runs="rounds")

    assert [Run.objects.get(pk=run_id).round_count for run_id in separate.run_ids] == [1, 1, 1]
    run = run_of(rounds)
    assert run.round_count == 3
    row = stored_rows(run.pk, 1)[0]
    assert row["values"][0] == row["values"][1] == row["values"][2]
    assert row["artifacts"] == [f"round-{number}/iozone.txt" for number in (1, 2, 3)]


def test_files_of_a_folder_are_rounds_and_files_can_be_left_out(owner: User) -> None:
    files = list(begun(owner, *same_workload(3)).files.light())

    assert [len(run.files) for run in planned(files, "folders")] == [1, 1, 1]
    assert [len(run.files) for run in planned(files, "rounds", [1])] == [2]
    assert [[file.ordinal for file in run.files] for run in planned(files, "own", [0])] == [[1], [2]]


def test_files_of_different_workloads_are_never_rounds_of_one_run(owner: User) -> None:
    draft = stored(begun(owner, *given(IOZONE, BONNIE)), runs="rounds")

    assert sorted(Run.objects.filter(pk__in=draft.run_ids).values_list("tool", flat=True)) == ["bonnie++", "iozone"]


def test_storing_twice_stores_once(owner: User) -> None:
    draft = begun(owner, *given(IOZONE))
    again = Import.objects.get(pk=draft.pk)
    first = stored(draft)
    before = table_sizes()

    second = services.store(again, form_of(again, machine="another"), {"machine": "another"})
    background.store_runs(draft.pk)

    assert ((second.state, second.run_ids), table_sizes()) == ((ImportState.STORED, first.run_ids), before)
    assert run_of(first).machine.name == "old-1"
    assert not ImportFile.objects.filter(of=draft).exists()


@pytest.mark.django_db(transaction=True)
def test_two_tabs_at_once_store_once() -> None:
    draft = begun(make_user("ada"), *given(IOZONE, BONNIE))

    def store(name: str) -> Any:
        loaded = Import.objects.get(pk=draft.pk)
        return services.store(loaded, form_of(loaded, machine=name), {"machine": name})

    tabs = at_once([lambda: store("one"), lambda: store("two")])
    background.store_runs(draft.pk)

    assert (Run.objects.count(), len(set(Run.objects.values_list("machine__name", flat=True)))) == (2, 1)
    assert {str(run_id) for tab in tabs for run_id in tab.run_ids} == {
        str(run_id) for run_id in Run.objects.values_list("pk", flat=True)
    }


def test_a_small_import_that_must_wait_is_left_to_a_worker(
    owner: User, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.WORK_RATE = "1/d"
    monkeypatch.setattr(ingest, "SECONDS_A_BYTE", 1.0)
    draft = begun(owner, *given(IOZONE))
    with work.accounted():
        work.pays(f"import {draft.pk}")
        work.expect(2.0)
        left = services.store(draft, form_of(draft), {"machine": "old-1"})

    assert (left.state, left.faults) == (ImportState.STORING, [])
    background.store_runs(draft.pk)
    assert run_of(left).machine.name == "old-1"


def test_all_or_nothing_and_the_faults_are_told(owner: User) -> None:
    draft = begun(owner, *given(IOZONE, BONNIE))
    before = table_sizes()
    bad = ImportFile.objects.get(of=draft, tool="bonnie++")
    bad.head = {**bad.head, "tool_version": "a\nb", "clock_resolution": -1}
    bad.save()

    result = stored(draft)

    assert result.state == ImportState.READY
    assert {pointer for pointer, _ in result.faults} == {"workload/tool_version", "workload/clock_resolution"}
    assert (table_sizes(), stored(result, leave_out=[bad.ordinal]).state) == (before, ImportState.STORED)


def test_a_run_that_is_too_large_is_told(owner: User, settings: Any) -> None:
    settings.UPLOAD_MAX_INFLATED_BYTES = 1000

    result = stored(begun(owner, *given(IOZONE)))

    assert result.state == ImportState.READY
    assert "larger than 1000 B" in result.faults[0][1]


def test_a_text_with_nul_bytes_where_facts_are_read_is_stored(owner: User) -> None:
    text = golden(IOZONE).replace("Command line used: iozone", "Command line used: iozone\0 -x")
    draft = stored(begun(owner, GivenFile("nul.txt", text.encode())))

    assert draft.state == ImportState.STORED, draft.faults
    run = Run.objects.get(pk=draft.run_ids[0])
    assert run.artifacts.get().size == len(text.encode())
    assert (reparse(run.pk).changed, reparse(run.pk).refusal) == (0, "")


def test_nothing_is_stored_of_an_import_without_readable_files(owner: User) -> None:
    draft = begun(owner, GivenFile("a.txt", b"hello"))

    with pytest.raises(services.NothingToStore):
        stored(draft)


@pytest.mark.parametrize("name", [IOZONE, BONNIE, ROUNDS])
def test_an_imported_run_reads_the_same_again(owner: User, name: str) -> None:
    run = run_of(stored(begun(owner, *given(name))))
    compute_summaries(run.pk)
    Parse.objects.update(parser_version="0")

    outcome = reparse(run.pk)

    assert (outcome.changed, outcome.refusal) == (0, "")


def test_what_only_the_first_of_several_runs_measured_reads_the_same_again(owner: User) -> None:
    run = run_of(stored(begun(owner, *given(ROUNDS))))
    compute_summaries(run.pk)
    short = Result.objects.filter(run=run).first()
    assert short is not None

    def parse(content: bytes, tool: str | None = None, **known: Any) -> formats.Parsed:
        parsed = formats_parse(content, tool, **known)
        first = parsed.results[0]._replace(values=parsed.results[0].values[:1], lines=parsed.results[0].lines[:1])
        return replace(parsed, results=(first, *parsed.results[1:]))

    formats_parse = formats.parse
    Parse.objects.update(parser_version="0")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(formats, "parse", parse)
        outcome = reparse(run.pk)

    assert (outcome.changed, outcome.refusal) == (1, "")
    assert Result.objects.get(run=run, parse=2, ordinal=short.ordinal).values == [short.values[0], None, None]


def test_a_better_parser_adds_a_parse_and_results_keep_their_numbers(owner: User) -> None:
    run = run_of(stored(begun(owner, *same_workload(2)), runs="rounds"))
    compute_summaries(run.pk)
    Parse.objects.update(parser_version="0")
    first = stored_rows(run.pk, 1)[0]
    Result.objects.filter(run=run, ordinal=0).update(values=[1.0, 2.0])

    outcome = reparse(run.pk)

    assert ((outcome.changed, outcome.refusal), stored_rows(run.pk, 2)[0]) == ((1, ""), first)
    assert Result.objects.get(run=run, parse=1, ordinal=0).values == [1.0, 2.0]


def test_what_was_seen_is_stored_although_parsers_changed_meanwhile(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = begun(owner, *given(IOZONE))
    monkeypatch.setattr(formats, "parse", None)

    run = run_of(stored(draft))

    assert Parse.objects.get(run=run).parser_version == formats.PARSER_VERSION


def test_documents_are_the_same_each_time_and_fit_the_contract(owner: User) -> None:
    draft = begun(owner, *given(IOZONE))
    chosen, files = form_of(draft).chosen(), list(draft.files.all())
    run_id = UUID("01900000-0000-7000-8000-000000000000")

    one, two = (json.dumps(document(draft, chosen, run_id, RunFiles(files))) for _ in range(2))

    assert one == two
    validate(one.encode())


def test_the_number_of_queries_does_not_grow_with_the_files(owner: User) -> None:
    counts = []
    for number in (1, 6):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            services.begin(owner, [GivenFile(f"{index}.txt", b"hello %d" % index) for index in range(number)])
        counts.append(len([query for query in queries if "INSERT" in query["sql"] or "COPY" in query["sql"]]))
    assert counts[0] == counts[1]


def test_a_file_that_ends_its_worker_every_time_is_given_up(owner: User) -> None:
    draft = services.begin(owner, [*given(IOZONE), GivenFile("big.txt", b"x" * services.AT_ONCE)])
    ImportFile.objects.filter(of=draft, name="big.txt").update(attempts=background.MOST_ATTEMPTS)

    background.read_files(draft.pk)

    draft.refresh_from_db()
    assert draft.state == ImportState.READY
    assert dict(draft.files.values_list("name", "state")) == {IOZONE: FileState.READ, "big.txt": FileState.REFUSED}
    assert "ended the worker 5 times" in draft.files.get(name="big.txt").reason


def refuse_in_database(errcode: str) -> None:
    """Make PostgreSQL refuse to store parsed results, with this error."""
    refuse_rows("ingest_importfile", errcode, "UPDATE", "NEW.state = 'read'")


def test_what_the_database_cannot_keep_is_refused_and_the_other_files_have_their_turn(owner: User) -> None:
    refuse_in_database("data_exception")

    draft = begun(owner, *given(IOZONE), GivenFile("a.txt", b"hello"))

    assert draft.state == ImportState.READY
    file = draft.files.get(name=IOZONE)
    assert (file.state, file.reason[:50]) == (FileState.REFUSED, "what was recognized in it could not be kept, which")


def test_what_a_failing_database_left_is_read_by_a_worker(owner: User) -> None:
    refuse_in_database("serialization_failure")
    draft = services.begin(owner, given(IOZONE))
    with pytest.raises(OperationalError):  # the task fails, and `tidy` sends another
        background.read_files(draft.pk)

    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER refuse ON ingest_importfile")
    background.read_files(draft.pk)

    draft.refresh_from_db()
    assert (draft.state, draft.files.get().state) == (ImportState.READY, FileState.READ)


@pytest.mark.django_db(transaction=True)
def test_a_file_that_is_being_read_is_left_to_its_reader_and_does_not_hinder_discarding() -> None:
    draft = services.begin(make_user("ada"), [GivenFile("a.txt", golden(BONNIE).encode() + b"\n" * services.AT_ONCE)])
    (file,) = draft.files.all()
    reading, go_on = Event(), Event()

    def hold() -> None:
        with transaction.atomic():
            assert try_lock(background.FILES, file.pk)
            reading.set()
            assert go_on.wait(20)

    def look() -> None:
        assert reading.wait(20)
        try:
            background.read_files(draft.pk)
            assert ImportFile.objects.get().attempts == 0
            services.discard(draft)
        finally:
            go_on.set()

    at_once([hold, look])

    assert not Import.objects.exists()
    background.read_files(draft.pk)


def test_tidy_asks_again_for_what_was_lost_and_forgets_what_is_old(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(background, "send", lambda: sent.append("continue"))
    long = GivenFile("a.txt", golden(BONNIE).encode() + b"\n" * services.AT_ONCE)
    reading, ready, old = services.begin(owner, [long]), begun(owner, *given(IOZONE)), begun(owner, *given(BONNIE))
    assert services.tidy() == {"asked again": 0, "deleted": 0}
    sent.clear()
    Import.objects.update(changed_at=timezone.now() - timedelta(hours=1))
    Import.objects.filter(pk=old.pk).update(changed_at=timezone.now() - services.KEPT_FOR - timedelta(hours=1))

    services.tidy()

    assert (sent, set(Import.objects.values_list("pk", flat=True))) == (["continue"], {reading.pk, ready.pk})
    services.discard(reading)
    assert services.tidy()["asked again"] == 0


def test_what_takes_too_long_is_given_up_with_the_reason(owner: User) -> None:
    draft = services.begin(owner, [GivenFile("a.txt", b"x" * services.AT_ONCE * 2)])
    ImportFile.objects.update(attempts=1)

    background.give_up(draft.pk, "it was not done")
    background.read_files(draft.pk)

    assert draft.files.values_list("state", "reason").get() == ("refused", "it was not done")
    draft.refresh_from_db()
    assert draft.state == ImportState.READY


def test_a_run_of_unknown_date_says_so(owner: User) -> None:
    client = signed_in(owner)
    unknown, known = begun(owner, *given(IOZONE)), begun(owner, *given(BONNIE))

    words = "The time of the measurement is unknown"
    assert words in read(client.get(run_of(stored(unknown)).get_absolute_url())).text
    assert words not in read(client.get(run_of(stored(known, measured_at="2009-05-31")).get_absolute_url())).text
