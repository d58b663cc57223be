"""After the broker hung while a worker acknowledged a message, the worker takes the next one."""

import logging
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from kombu import Connection, Consumer, Message
from redis import Redis, RedisError

from benchdb.celery import app
from benchdb.connections.broker import ReleasingQoS
from benchdb.connections.redis_urls import celery_broker_url
from benchdb.embedded.services.binaries import valkey_server
from tests.support.waiting import wait_until

PATIENCE = 60  # seconds
log = logging.getLogger(__name__)
Broker = tuple[subprocess.Popen[bytes], Connection]


def answers(client: Redis) -> bool:
    try:
        return client.ping()
    except RedisError:  # the socket exists before the broker listens
        return False


@pytest.fixture
def broker() -> Iterator[Broker]:
    """A broker, and a worker's connection to it."""
    with tempfile.TemporaryDirectory() as directory:
        socket = Path(directory, "socket")
        command = [str(valkey_server()), "--port", "0", "--unixsocket", str(socket), "--save", ""]
        with subprocess.Popen(command, cwd=directory, stdout=subprocess.DEVNULL) as server:
            try:
                with Redis(unix_socket_path=str(socket)) as client:
                    wait_until(lambda: answers(client))
                with app.connection_for_read(celery_broker_url(f"unix://{socket}")) as connection:
                    yield server, connection
            finally:
                server.kill()


def acknowledge(message: Message, connection: Connection) -> None:
    message.ack_log_error(log, connection.connection_errors)  # as Celery does


def give_back(message: Message, connection: Connection) -> None:
    message.reject_log_error(log, connection.connection_errors, requeue=True)


@pytest.mark.parametrize("be_done", [acknowledge, give_back])
def test_a_worker_takes_the_next_message(
    broker: Broker, be_done: Callable[[Message, Connection], None], caplog: pytest.LogCaptureFixture
) -> None:
    server, connection = broker
    taken: list[Message] = []
    queue = connection.SimpleQueue("tasks")
    queue.put({"number": 1})
    queue.put({"number": 2})
    with Consumer(connection, queue.queue, on_message=taken.append, prefetch_count=1):
        connection.drain_events(timeout=PATIENCE)
        server.send_signal(signal.SIGSTOP)
        be_done(taken[0], connection)
        server.send_signal(signal.SIGCONT)

        connection.drain_events(timeout=PATIENCE)

    assert "Timeout reading from socket" in caplog.text
    assert len(taken) == 2
    assert isinstance(connection.default_channel.qos, ReleasingQoS)


def test_what_the_broker_takes_is_done_with_once(broker: Broker) -> None:
    _, connection = broker
    taken: list[Message] = []
    queue = connection.SimpleQueue("tasks")
    for number in range(3):
        queue.put({"number": number})
    with Consumer(connection, queue.queue, on_message=taken.append, prefetch_count=2) as consumer:
        for _ in range(2):
            connection.drain_events(timeout=PATIENCE)
        assert not consumer.channel.qos.can_consume()
        taken[0].ack()
        connection.drain_events(timeout=PATIENCE)
        assert not consumer.channel.qos.can_consume()

    assert [message.payload["number"] for message in taken] == [0, 1, 2]
