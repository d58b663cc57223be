"""Probes, metrics and `manage.py doctor` of a running server."""

import json

from tests.support.waiting import wait_until
from tests.system.server import PATIENCE, Server

SIGNS_OF_LIFE = (b'of="sweep"', b'of="worker"', b'of="files-worker"')


def test_it_is_ready_and_counts_the_requests_of_all_its_processes(server: Server) -> None:
    assert server.request("readyz")[0] == 200
    for _ in range(10):
        server.request("runs/")
    counted = b'benchdb_request_seconds_count{method="GET",status="200",view="runs"} '
    (line,) = [line for line in server.request("metrics")[1].splitlines() if line.startswith(counted)]
    assert float(line.split()[-1]) >= 10


def test_the_doctor_finds_nothing_wrong(server: Server) -> None:
    wait_until(lambda: all(sign in server.request("metrics")[1] for sign in SIGNS_OF_LIFE), PATIENCE)
    report = json.loads(server.manage("doctor", "--json"))
    assert report["schema"] == "benchdb.doctor/1"
    levels = {check["about"]: check["level"] for check in report["checks"]}
    assert set(levels) == {
        *("settings", "hosts", "tls", "secret key", "disk", "static", "database", "migrations", "clock"),
        *("broker", "broker users", "worker", "files-worker", "beat"),
    }
    assert "wrong" not in levels.values()
