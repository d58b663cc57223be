"""`/metrics`: its readers and its samples."""

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from benchdb import heartbeats
from benchdb.celery import app, files_queue, hand_over, record_heartbeat, waiting_messages, workers
from benchdb.runs.models import Run
from benchdb.runs.tasks import recompute, summarise, sweep
from tests.conftest import Upload
from tests.support.documents import document
from tests.support.store import store_run

TOKEN = "0123456789abcdef"


def metrics(client: Client, **headers: str) -> dict[tuple[str, ...], float]:
    """Every sample by its name and the values of its labels in alphabetical order."""
    answer = client.get("/metrics", headers={"Host": "localhost", **headers})
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.content.decode())
    return {(each.name, *each.labels.values()): each.value for family in families for each in family.samples}


def test_requests_are_counted_by_view_and_status(client: Client, db: None) -> None:
    before = metrics(client)
    for _ in range(3):
        client.get("/runs/")
    client.get("/runs/?tool=nothing&tool=more")
    client.get("/no/such/page/")
    after = metrics(client)

    def more(*labels: str) -> float:
        key = ("benchdb_request_seconds_count", *labels)
        return after[key] - before.get(key, 0)

    assert more("GET", "200", "runs") >= 3
    assert more("GET", "404", "none") == 1
    took = ("benchdb_request_seconds_sum", "GET", "200", "runs")
    assert after[took] > before.get(took, 0)


def test_an_unknown_method_makes_no_new_series(client: Client, db: None) -> None:
    for method in ("BREW", "WHEN"):
        client.generic(method, "/runs/")
    assert metrics(client)["benchdb_request_seconds_count", "other", "405", "runs"] >= 2


def test_runs_by_state_and_the_oldest_that_is_not_ready(client: Client, owner: User, upload: Upload) -> None:
    store_run(owner)
    assert metrics(client)["benchdb_oldest_unfinished_run_seconds",] == 0
    sent = document()
    upload(sent, computed=False)
    Run.objects.filter(pk=sent["run_id"]).update(
        received_at=Run.objects.get(pk=sent["run_id"]).received_at - timedelta(hours=1)
    )
    samples = metrics(client)
    assert (samples["benchdb_runs", "ready"], samples["benchdb_runs", "received"]) == (1, 1)
    assert samples["benchdb_runs", "failed"] == 0
    assert 3600 <= samples["benchdb_oldest_unfinished_run_seconds",] < 3700


def test_messages_of_every_priority_and_queue_are_counted(client: Client, db: None) -> None:
    with app.connection_for_write() as connection:
        connection.default_channel.queue_purge(app.conf.task_default_queue)
        connection.default_channel.queue_purge(files_queue())
    assert sum(map(waiting_messages, workers().values())) == 0
    summarise.delay()
    recompute.apply_async([[]], priority=9)
    hand_over("benchdb.exports.tasks.make", "digest")
    assert metrics(client)["benchdb_queue_messages",] == 3
    assert waiting_messages(files_queue()) == 1


def test_signs_of_life(client: Client, db: None) -> None:
    assert ("benchdb_seen_seconds", "nobody") not in metrics(client)
    record_heartbeat()
    sweep()
    samples = metrics(client)
    assert samples["benchdb_seen_seconds", "worker"] < 60
    assert samples["benchdb_seen_seconds", "sweep"] < 60
    assert heartbeats.last("sweep")


def test_the_number_of_queries_does_not_grow(client: Client, owner: User, django_assert_num_queries: Any) -> None:
    store_run(owner)
    with django_assert_num_queries(2):
        metrics(client)
    store_run(owner)
    with django_assert_num_queries(2):
        metrics(client)


PROXIES = ("X-Forwarded-For", "X-Forwarded-Proto", "Forwarded", "Via", "X-Real-IP")


@pytest.mark.parametrize(
    ("headers", "address"),
    [
        *(({name: "127.0.0.1"}, "127.0.0.1") for name in PROXIES),
        *(({}, address) for address in ("192.0.2.7", "10.0.0.1", "", "2001:db8::1")),
    ],
)
def test_who_comes_through_a_proxy_or_from_another_machine_reads_nothing(
    client: Client, headers: dict[str, str], address: str
) -> None:
    answer = client.get("/metrics", headers={"Host": "localhost", **headers}, REMOTE_ADDR=address)
    assert answer.status_code == 403
    assert b"benchdb_" not in answer.content


@pytest.mark.parametrize(
    ("host", "status"),
    [
        *(
            (host, 200)
            for host in ("localhost", "LOCALHOST:8000", "127.0.0.1:8000", "127.7.7.7", "[::1]:8000", "[::1]")
        ),
        *(
            (host, 403)
            for host in ("evil.example:8000", "127.0.0.1.evil.example", "localhost@evil.example", "", "[::1")
        ),
    ],
)
def test_a_page_of_another_site_reads_nothing_through_a_browser_here(
    client: Client, db: None, host: str, status: int
) -> None:
    assert client.get("/metrics", headers={"Host": host}).status_code == status


def test_the_token_opens_it_from_anywhere_and_closes_it_here(client: Client, db: None, settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN
    assert client.get("/metrics").status_code == 403
    assert client.get("/metrics", headers={"Authorization": "Bearer another"}).status_code == 403
    shown = {"Authorization": f"Bearer {TOKEN}", "X-Forwarded-For": "192.0.2.7"}
    assert client.get("/metrics", headers=shown, REMOTE_ADDR="192.0.2.7").status_code == 200


def test_processes_of_one_server_are_added_up(tmp_path: Path) -> None:
    count = "import os; from benchdb.operations.metrics import *; [observe('run', 'GET', 200, 0.01) for _ in range(5)]"
    show = f"import django; django.setup(); {count}; pid = os.fork(); " + (
        "pid or ([observe('run', 'GET', 200, 0.01) for _ in range(2)], os._exit(0)); os.waitpid(pid, 0); "
        "print([line for line in text().decode().splitlines() if line.startswith('benchdb_request_seconds_count')])"
    )
    ours = {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "benchdb.settings"}
    done = subprocess.run(
        [sys.executable, "-c", show],
        env={**os.environ, **ours, "PYTHONPATH": ".:agents"},
        cwd=django_settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == """['benchdb_request_seconds_count{method="GET",status="200",view="run"} 7.0']"""


@pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="needs /dev/shm")
def test_files_of_metrics_are_not_where_uploads_wait(tmp_path: Path) -> None:
    show = "from benchdb.embedded import gunicorn_config as it; print(it.METRICS); it.on_exit(None)"
    ours = {"TMPDIR": str(tmp_path), "BENCHDB_VAR": str(tmp_path), "PYTHONPATH": ".:agents"}
    done = subprocess.run(
        [sys.executable, "-c", show],
        env={**os.environ, **ours},
        cwd=django_settings.BASE_DIR,
        capture_output=True,
        check=True,
    )
    assert done.stdout.startswith(b"/dev/shm/benchdb-metrics-")
    assert not list(tmp_path.glob("benchdb-metrics-*"))
