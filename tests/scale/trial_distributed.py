"""Results and summaries on two PostgreSQL servers: the same pages and writes as on one, and what a crash leaves.

`make test-faults ONLY="two database servers"` runs this. A copy of the database remains on the first server alone.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from threading import Thread
from typing import Any
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from benchdb.runs.models import Run
from benchdb.runs.services import delete_run
from benchdb.runs.store.partitions import TABLES
from benchdb.runs.store.summaries import recompute_summaries
from tests.bench.server.stock import reference
from tests.scale.distributed import OTHER
from tests.scale.two_stores import SPLIT, WHOLE, Stores, two_stores
from tests.support.documents import Section
from tests.support.waiting import wait_until

pytestmark = pytest.mark.needs("postgres_fdw", package="postgresql")
READ = {
    "a comparison": "/compare/?{references}",
    "its JSON": "/compare/table.json?{references}",
    "a run there": "/runs/{there}/",
    "a run here": "/runs/{here}/",
    "the list of runs": "/runs/",
    "a trend": "/trend/?run={day}",
    "a permalink": "/c/{table}/",
}
OPTIONS = ("", "use_remote_estimate 'true'", "fetch_size '10000'", "async_capable 'true'", "batch_size '1000'")
ROUNDS = 3


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any) -> Iterator[Stores]:
    with django_db_blocker.unblock(), two_stores(tmp_path_factory.mktemp("two")) as made:
        runs = [part.removeprefix("run=") for part in made.records["references"].split("&") if part.startswith("run=")]
        made.records.update({"there" if made.is_there(run) else "here": run for run in runs})
        yield made


def test_pages_and_files_are_the_same(stores: Stores, record_property: Any) -> None:
    whole, split = stores.answers(WHOLE), stores.answers(SPLIT)

    assert [address for address, answer in whole.items() if answer != split[address]] == []
    assert stores.rows(WHOLE) == stores.rows(SPLIT)
    record_property("result", f"{len(whole)} pages and files")


def test_writes_are_the_same(stores: Stores) -> None:
    documents = [reference(seed) for seed in range(20, 28)]
    runs = [UUID(document["run_id"]) for document in documents]
    first = runs[:4]

    for document in documents:
        stores.in_both(partial(stores.upload, document))
    stores.in_both(older_statistics)
    stores.in_both(lambda: [recompute_summaries(run) for run in runs])
    stores.in_both(lambda: delete_all(first))
    stores.in_both(lambda: Run.objects.filter(pk__in=runs).count())
    assert len({stores.is_there(str(run)) for run in runs}) == 2


def delete_all(runs: list[UUID]) -> None:
    for run in Run.objects.filter(pk__in=runs):
        delete_run(run)


def older_statistics() -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE runs_summary SET statistics_version = statistics_version - 1")
        cursor.execute("UPDATE runs_runstate SET statistics_version = statistics_version - 1")


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option or "defaults")
def test_the_costs(option: str, stores: Stores, record_property: Any) -> None:
    with with_option(stores, option):
        for name, path in READ.items():
            statements: list[str] = []
            address = path.format(**stores.records)
            times: dict[str, list[float]] = {WHOLE: [], SPLIT: []}
            for _ in range(ROUNDS):
                for database, taken in times.items():
                    with stores.using(database):
                        taken.append(seconds(address))
            with stores.using(SPLIT), stores.there.counted(statements):
                assert Client().get(address).status_code == 200
            ratio = median(times[SPLIT]) / median(times[WHOLE])
            record_property("result", f"{option} {name}: {len(statements)} statements, {ratio:.1f} times as long")
        statements = []
        with stores.using(SPLIT), stores.there.counted(statements):
            assert stores.upload(belonging_there(stores)) == 201
        record_property("result", f"{option} an upload there: {len(statements)} statements")


def seconds(address: str) -> float:
    """The time of a page; connections are open and caches full."""
    Client().get(address)
    begun = time.perf_counter()
    assert Client().get(address).status_code == 200
    return time.perf_counter() - begun


@contextmanager
def with_option(stores: Stores, option: str) -> Iterator[None]:
    if not option:
        yield
        return
    stores.here.ask(f"ALTER SERVER {OTHER} OPTIONS (ADD {option})", SPLIT)
    yield
    stores.here.ask(f"ALTER SERVER {OTHER} OPTIONS (DROP {option.split()[0]})", SPLIT)


def belonging_there(stores: Stores) -> Section:
    """A reference run whose results belong to the second server."""
    document = reference(300)
    while not stores.is_there(document["run_id"]):
        document = reference(300)
    return document


def uploading(stores: Stores, document: Section) -> tuple[Thread, list[int]]:
    """Start an upload in a thread. Its status will be in the list."""
    statuses: list[int] = []

    def upload() -> None:
        statuses.append(stores.upload(document))
        connection.close()

    thread = Thread(target=upload)
    thread.start()
    return thread, statuses


def waits_for(stores: Stores, event: str) -> None:
    query = "SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event = %s"
    wait_until(lambda: stores.there.ask(query, SPLIT, event) == [(True,)])


def left(stores: Stores, document: Section) -> list[int]:
    """Runs on the first server, results and summaries: all with the id of the document."""
    queries = ["SELECT count(*) FROM runs_run WHERE id = %s"]
    queries += [f"SELECT count(*) FROM {table} WHERE run_id = %s" for table in TABLES]
    return [stores.here.ask(query, SPLIT, document["run_id"])[0][0] for query in queries]


def test_nothing_is_left_if_the_second_server_dies_before_its_commit(stores: Stores) -> None:
    document = belonging_there(stores)
    with stores.using(SPLIT), stores.there.connect(SPLIT) as holder:
        holder.execute("SELECT pg_advisory_lock(1)")
        stores.there.ask(
            "CREATE FUNCTION held() RETURNS trigger LANGUAGE plpgsql"
            " AS 'BEGIN PERFORM pg_advisory_lock(1); RETURN NULL; END'",
            SPLIT,
        )
        for (part,) in stores.there.ask("SELECT tablename FROM pg_tables WHERE tablename ~ '^runs_result'", SPLIT):
            stores.there.ask(
                f"CREATE CONSTRAINT TRIGGER held AFTER INSERT ON {part} DEFERRABLE INITIALLY DEFERRED"
                " FOR EACH ROW EXECUTE FUNCTION held()",
                SPLIT,
            )
        thread, statuses = uploading(stores, document)
        waits_for(stores, "advisory")
        stores.there.kill()
        thread.join()

        assert statuses == [503]
        assert Client().get(f"/runs/{stores.records['here']}/").status_code == 503  # although its results are here
        assert Client().get("/c/{table}/".format(**stores.records)).status_code == 200

        stores.there.start()
        assert left(stores, document) == [0, 0, 0]
        stores.there.ask("DROP FUNCTION held() CASCADE", SPLIT)
        assert stores.upload(document) == 201


def test_results_without_a_run_are_left_if_it_dies_after_its_commit(stores: Stores) -> None:
    document = belonging_there(stores)
    # Its commits are on its disk, but it waits with the answer for a replica that does not exist.
    set_standby(stores, "nobody")
    with stores.using(SPLIT):
        thread, statuses = uploading(stores, document)
        waits_for(stores, "SyncRep")
        stores.there.kill()
        thread.join()
        stores.there.start()
        set_standby(stores, "")

        assert statuses == [503]
        assert left(stores, document) == [0, 1300, 0]  # a worker computes the summaries of stored runs
        assert stores.upload(document) == 500  # again and again: the keys exist
        for table in TABLES:
            orphans = f"DELETE FROM {table} t WHERE NOT EXISTS (SELECT FROM runs_run WHERE id = t.run_id)"
            stores.here.ask(orphans, SPLIT)
        assert stores.upload(document) == 201


def set_standby(stores: Stores, name: str) -> None:
    with stores.there.connect(SPLIT) as server:
        server.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'")
        server.execute("SELECT pg_reload_conf()")
    wait_until(lambda: stores.there.ask("SHOW synchronous_standby_names", SPLIT) == [(name,)])


def test_no_backup_without_the_rows_of_the_second_server(stores: Stores, tmp_path: Path) -> None:
    with stores.using(SPLIT), pytest.raises(CommandError, match=r"runs_result_001of004, .* lie on another server"):
        call_command("backup", tmp_path)

    assert list(tmp_path.iterdir()) == []
