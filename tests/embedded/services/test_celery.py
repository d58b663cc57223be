"""The worker as a service of the supervisor."""

from __future__ import annotations

import pytest
from celery import Celery

from benchdb.embedded.services.celery import worker_services


@pytest.mark.parametrize("broker", ["redis://127.0.0.1:9", "redis+socket:///nowhere/valkey.sock"])
def test_a_worker_is_not_ready_while_the_broker_is_away(broker: str) -> None:
    """An exception here would end the supervisor and all services."""
    app = Celery("elsewhere", broker=broker, set_as_current=False)
    app.conf.broker_transport_options = {"max_retries": 0, "socket_connect_timeout": 2}
    assert [service.ready() for service in worker_services(app, 1)] == [False, False]
