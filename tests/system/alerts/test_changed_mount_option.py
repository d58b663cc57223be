"""A changed mount option, from the first slower run to a signed webhook, with a real server, worker and agent."""

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

import pytest

from tests.alerts.receiver import Receiver, receiving
from tests.alerts.watched import image
from tests.support.comparing.comparisons import SPREAD, values
from tests.support.comparing.trends import NOISE
from tests.support.documents import KIB, MIB, STARTED, document, result
from tests.support.html import parse
from tests.system.agent import Agent
from tests.system.server import Server, running

pytestmark = [
    pytest.mark.needs("root", package=None),
    pytest.mark.needs("loop devices", package=None),
    pytest.mark.needs("iozone", package="iozone3"),
]
PATIENCE = 300
WORK = {
    "tool": "iozone",
    "tool_version": "3.489",
    "command": ["iozone"],
    "parameters": {"file_sizes": [256 * KIB], "record_sizes": [64 * KIB], "tests": ["write"]},
}
ACCOUNT = """
from django.contrib.auth.models import User
user = User.objects.get(username="ada")
user.set_password("correct-horse-9")
user.save()
"""
MACHINE = "from benchdb.catalog.models import Machine; print(*Machine.objects.values_list('pk', 'machine_id').get())"


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    with receiving() as started:
        yield started


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A site that sends webhooks to this machine."""
    quick = {"BENCHDB_SWEEP_SECONDS": "1", "BENCHDB_REPORT_SECONDS": "1", "BENCHDB_WEBHOOKS": "private"}
    with running(tmp_path_factory.mktemp("alerts") / "var", **quick) as started:
        yield started


@pytest.fixture(scope="module")
def agent(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Agent:
    base = tmp_path_factory.mktemp("agent")
    made = Agent(server, base, "epyc-2")
    (base / "work").mkdir()
    (made.state / "config.toml").write_text(f'work_dir = "{base / "work"}"\n[targets]\nimages = true\n')
    made.once()  # makes the machine known
    return made


def signed_in(server: Server) -> OpenerDirector:
    """A browser of `ada`."""
    server.manage("shell", "--no-imports", "-c", ACCOUNT)
    browser = build_opener(HTTPCookieProcessor(CookieJar()))
    send(browser, f"{server.url}login/", {"username": "ada", "password": "correct-horse-9"})
    return browser


def send(browser: OpenerDirector, address: str, fields: dict[str, str]) -> str:
    """Send the form at an address. Returns the address of the answer."""
    token = parse(browser.open(address, timeout=PATIENCE).read().decode()).fields["csrfmiddlewaretoken"][0]
    body = urlencode({**fields, "csrfmiddlewaretoken": token}).encode()
    return str(browser.open(address, body, timeout=PATIENCE).url)


def upload_days(server: Server, machine_id: str, secret: str, first: int, levels: list[float], *options: str) -> str:
    """A run a day from day `first` on, on ext4 with these mount options. Returns the id of the first run."""
    ids = []
    for day, level in enumerate(levels, start=first):
        started = STARTED + timedelta(days=day)
        target = image(*options)
        for layer in target["stack"]:
            layer["size"] = 32 * MIB
        figures = values(level * MIB * NOISE[day % len(NOISE)])
        content = document(
            machine={"name": "epyc-2", "machine_id": machine_id},
            rounds=len(SPREAD),
            results=[result(figures, "write", file_size=256 * KIB, record_size=64 * KIB)],
            target=target,
            workload=WORK,
            protocol={"cache": "uncontrolled", "warmup_discarded": 0, "order": "rotated", "prepare": "mkfs", "seed": 1},
            started_at=started.isoformat(),
            finished_at=(started + timedelta(minutes=9)).isoformat(),
        )
        server.upload(content, secret)
        ids.append(content["run_id"])
    return str(ids[0])


def until(ready: Callable[[], Any]) -> Any:
    """Wait until something is true, and return it."""
    end = time.monotonic() + PATIENCE
    while not (found := ready()):
        assert time.monotonic() < end
        time.sleep(0.2)
    return found


def plan_of(browser: OpenerDirector, server: Server, watch: str) -> str | None:
    """The path of the plan of the watch's alert, once it is queued."""
    links = parse(browser.open(watch, timeout=PATIENCE).read().decode()).links
    alert = next((href for href in links.values() if href.startswith("/alerts/")), None)
    if alert is None:
        return None
    return parse(browser.open(server.url.rstrip("/") + alert, timeout=PATIENCE).read().decode()).links.get("its plan")


def test_it_is_suspected_measured_confirmed_and_sent(server: Server, agent: Agent, receiver: Receiver) -> None:
    secret = server.manage("token", "ada")
    _, machine_id = server.manage("shell", "--no-imports", "-c", MACHINE).split()
    first = upload_days(server, machine_id, secret, 0, [100.0] * 8, "relatime")
    browser = signed_in(server)
    new = f"{server.url}watches/new/?run={first}&test=write&vary=mount_options"
    watch = send(browser, new, {"name": "ext4 on epyc-2", "webhook": receiver.url})
    assert f"{server.url}watches/" in watch

    upload_days(server, machine_id, secret, 8, [60.0] * 3, "sync", "relatime")

    job = until(lambda: plan_of(browser, server, watch)).strip("/").rpartition("/")[2]
    assert agent.job(job)["state"] == "waiting"
    agent.once()
    assert agent.job(job)["state"] == "finished", agent.job(job)
    until(lambda: receiver.received)

    key = browser.open(watch, timeout=PATIENCE).read().decode().partition("<code>whsec_")[2].partition("</code>")[0]
    [content] = receiver.verified(f"whsec_{key}")
    data = content["data"]
    assert (content["type"], data["kind"], data["machine"]) == ("alert.confirmed", "worse", "epyc-2")
    assert data["measured"].startswith("Worse: ")
    [cause] = [cause for cause in data["causes"] if cause["label"] == "mount options"]
    assert (cause["after"], cause["restored"]) == ("sync", True)
    shown = parse(browser.open(server.url + data["alert"].partition("://")[2].partition("/")[2]).read().decode())
    assert data["measured"] in shown.text
    assert browser.open(server.url.rstrip("/") + shown.links["Compare the runs"], timeout=PATIENCE).status == 200
