"""Ids of requests, runs and tasks, in answers and in log lines."""

import io
import json
import logging
import logging.config
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from structlog.contextvars import clear_contextvars

from benchdb.celery import app, name_task, send_request_id
from benchdb.logs import Plain, as_json, configuration
from benchdb.runs.tasks import recompute, summarise
from tests.conftest import Upload
from tests.support.documents import document

OURS = re.compile(r"[0-9a-f]{32}")


@pytest.fixture
def lines() -> Iterator[Any]:
    """A function that returns the log lines so far, as a server with BENCHDB_LOG=json writes them."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(as_json())
    root, requests = logging.getLogger(), logging.getLogger("benchdb.request")
    levels = (root.level, requests.level)
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    requests.setLevel(logging.INFO)
    clear_contextvars()
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    root.removeHandler(handler)
    root.setLevel(levels[0])
    requests.setLevel(levels[1])
    clear_contextvars()


@pytest.mark.parametrize("given", ["01JD4Z5T-abc.7", "Root=1-67891233-abcdef012345678912345678", "a" * 128])
def test_a_sane_id_is_taken_over_and_given_back(client: Client, given: str) -> None:
    assert client.get("/healthz", headers={"X-Request-ID": given})["X-Request-ID"] == given


@pytest.mark.parametrize(
    "given", ["", "short", "a" * 129, "with space", 'quote"12345', "neue\tzeile1", "ümlaut-ümlaut"]
)
def test_any_other_is_replaced(client: Client, given: str) -> None:
    assert OURS.fullmatch(client.get("/healthz", headers={"X-Request-ID": given})["X-Request-ID"])


def test_every_answer_has_one(client: Client, db: None) -> None:
    assert len({client.get(path)["X-Request-ID"] for path in ("/runs/", "/no/such/page", "/api/v1/runs/nothing")}) == 3


def test_lines_of_a_request_carry_its_id_and_its_run(client: Client, upload: Upload, lines: Any) -> None:
    sent = document()
    upload(sent, headers={"X-Request-ID": "from-the-proxy"})

    (answered,) = [line for line in lines() if line["event"] == "answered"]

    assert (answered["request_id"], answered["run_id"]) == ("from-the-proxy", sent["run_id"])
    assert (answered["method"], answered["status"], answered["level"]) == ("PUT", 201, "info")
    assert answered["path"] == f"/api/v1/runs/{sent['run_id']}"
    assert answered["view"].startswith("api-1:")
    assert answered["seconds"] > 0
    assert answered["timestamp"].endswith("Z")


@pytest.mark.parametrize(
    ("address", "logged"),
    [
        ("/search/?q=secret", "/search/"),
        ("/login/forgotten/MQ/secret-token/", "/login/forgotten/MQ/***"),
        ("/login/forgotten/MQ/secret-token", "/login/forgotten/MQ/***"),
        (f"/watches/{uuid4()}/feed/secret.atom", "/feed/***"),
    ],
    ids=["words", "token", "no view", "key"],
)
def test_secrets_of_addresses_are_not_logged(
    address: str, logged: str, client: Client, db: None, lines: Any, settings: Any
) -> None:
    settings.ADDRESS_RATE = "1/d"
    for _ in range(2):  # the second of a link is refused, which is another line
        client.get(address, REMOTE_ADDR="192.0.2.1")
    plain = Plain().format(logging.makeLogRecord({"msg": address.partition("?")[0]}))
    assert (logged in json.dumps(lines()), logged in plain, "secret" in json.dumps(lines()) + plain) == (1, 1, 0)


def test_the_next_request_of_a_thread_begins_anew(client: Client, upload: Upload, db: None, lines: Any) -> None:
    upload(document())
    client.get("/runs/")
    assert "run_id" not in lines()[-1]


def test_an_exception_is_one_line(lines: Any) -> None:
    try:
        raise ValueError("on purpose\nin two lines")
    except ValueError:
        logging.getLogger("benchdb.test").exception("it failed")
    (line,) = lines()
    assert line["event"] == "it failed"
    assert "ValueError: on purpose\nin two lines" in line["exception"]


def test_a_task_carries_on_the_id_of_its_request(db: None, lines: Any) -> None:
    run_id, headers = str(uuid4()), {}
    name_task("task-1", SimpleNamespace(name="a.request", request={"request_id": "from-the-web"}))
    send_request_id(headers=headers)
    assert headers == {"request_id": "from-the-web"}

    name_task("task-2", SimpleNamespace(name="a.task", request=headers))
    recompute([run_id])  # a run that does not exist; its id is in the lines nevertheless
    logging.getLogger("benchdb.test").info("counted")

    ids = {"request_id": "from-the-web", "run_id": run_id, "task": "a.task", "task_id": "task-2"}
    assert [line["event"] for line in lines() if ids.items() <= line.items()][-1] == "counted"


def test_the_id_goes_with_the_message(db: None) -> None:
    name_task("task-1", SimpleNamespace(name="a.request", request={"request_id": "from-the-web"}))
    with app.connection_for_read() as connection:
        queue = connection.SimpleQueue(app.conf.task_default_queue)
        queue.clear()  # messages of other tests
        summarise.delay()
        clear_contextvars()
        message = queue.get(block=True, timeout=10)
        assert message.headers["request_id"] == "from-the-web"
        message.ack()


def test_plain_lines_are_for_people() -> None:
    plain = configuration("plain")
    assert plain["handlers"]["stderr"]["formatter"] == "plain"
    assert plain["loggers"]["benchdb.request"] == {"level": "WARNING"}
