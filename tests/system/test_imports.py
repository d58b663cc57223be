"""Long imports on a real server: a worker killed while reading loses nothing, and 64 MiB are accepted."""

import json
import signal
import urllib.request
from typing import Any

import psutil

from tests.agents.formats.texts import golden
from tests.support.imports import BONNIE
from tests.support.waiting import wait_until
from tests.system.server import Server, worker

MIB = 1 << 20


def give(server: Server, secret: str, files: dict[str, bytes]) -> dict[str, Any]:
    """POST /api/v1/imports."""
    edge = b"----edge"
    parts = [
        b'--%s\r\nContent-Disposition: form-data; name="files"; filename="%s"\r\n\r\n%s\r\n'
        % (edge, name.encode(), content)
        for name, content in files.items()
    ]
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": f"multipart/form-data; boundary={edge.decode()}"}
    body = b"".join([*parts, b"--%s--\r\n" % edge])
    with urllib.request.urlopen(urllib.request.Request(f"{server.url}api/v1/imports", body, headers)) as answer:
        return json.loads(answer.read())


def asked(server: Server, secret: str, path: str) -> dict[str, Any]:
    status, body = server.request(f"api/v1/imports/{path}", "GET", secret)
    assert status == 200, body
    return json.loads(body)


def long_text(number: int) -> bytes:
    """A text that takes a while to read: many runs, each with different numbers."""
    return b"\n".join([golden(BONNIE).encode()] * 200 + [b"%d" % number])


def test_a_worker_that_is_killed_while_it_reads_loses_nothing(idle: Server, idle_secret: str) -> None:
    server, secret = idle, idle_secret
    import_id = give(server, secret, {f"{number}.txt": long_text(number) for number in range(6)})["id"]

    with worker(server) as first:
        wait_until(lambda: asked(server, secret, import_id)["version"] != "reading.6")
        for process in [*psutil.Process(first.pid).children(recursive=True), psutil.Process(first.pid)]:
            process.send_signal(signal.SIGKILL)
        first.wait()
    assert asked(server, secret, import_id)["state"] == "reading"
    with worker(server):
        wait_until(lambda: asked(server, secret, import_id)["state"] == "ready", seconds=120)

    draft = asked(server, secret, import_id)
    assert [file["state"] for file in draft["files"]] == ["read"] * 6
    assert len({(file["results"], file["rounds"]) for file in draft["files"]}) == 1


def test_the_largest_import_is_taken_and_can_be_discarded_unread(idle: Server, idle_secret: str) -> None:
    server, secret = idle, idle_secret

    draft = give(server, secret, {"large.txt": b"0123456789abcde\n" * (31 * MIB // 16)})

    assert (draft["state"], draft["files"][0]["size"]) == ("reading", 31 * MIB)
    assert server.request(f"api/v1/imports/{draft['id']}", "DELETE", secret)[0] == 204
    assert server.request(f"api/v1/imports/{draft['id']}", "GET", secret)[0] == 404
