"""The worker as a service of the supervisor."""

import pytest

from benchdb.embedded.services.celery import worker_services
from benchdb.embedded.supervisor.forks import Facts
from benchdb.signs_of_life import PIPE, give

QUEUES = {"worker": "celery", "files-worker": "celery-files"}


@pytest.mark.parametrize(("processes", "expected"), [(None, ["4", "3"]), (1, ["1", "3"])])
def test_files_have_three_processes_so_that_large_work_leaves_one(processes: int | None, expected: list[str]) -> None:
    commands = [
        list(service.command) for service in worker_services(Facts("redis://127.0.0.1:9", 4, QUEUES), processes)
    ]
    assert [command[command.index("--concurrency") + 1] for command in commands] == expected


def test_each_sign_counts_once_and_only_for_its_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    worker, files = worker_services(Facts("redis://127.0.0.1:9", 1, QUEUES))
    assert not worker.ready()
    monkeypatch.setenv(PIPE, worker.environment[PIPE])
    give()
    assert not files.ready()
    assert worker.ready()
    assert not worker.ready()


def test_signs_of_a_predecessor_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    worker, _ = worker_services(Facts("redis://127.0.0.1:9", 1, QUEUES))
    monkeypatch.setenv(PIPE, worker.environment[PIPE])
    give()
    worker.prepare()
    assert not worker.ready()


@pytest.mark.parametrize("broker", ["redis://127.0.0.1:9", "unix:///nowhere/valkey.sock"])
def test_a_silent_worker_is_excused_while_the_broker_is_away(broker: str) -> None:
    assert [service.alive() for service in worker_services(Facts(broker, 1, QUEUES))] == [True, True]


def test_without_a_supervisor_nobody_waits_for_a_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PIPE, raising=False)
    give()
    monkeypatch.setenv(PIPE, "/proc/self/fd/999999")  # it has ended
    give()
