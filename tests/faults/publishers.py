"""People who publish runs on a server, and later label, hide, withdraw, reinstate and delete them, in any order."""

from __future__ import annotations

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import requests

from tests.support.documents import document, encoded, iozone_document, large_document
from tests.system.server import Server

PUBLISHERS = 4
PAUSE = (0.3, 1.5)  # seconds between two acts of a publisher
PASSWORD = "correct-horse-9"
SET_PASSWORD = f"""
from django.contrib.auth.models import User
user = User.objects.get(username="ada")
user.set_password({PASSWORD!r})
user.save()
"""
LATER = 503  # the only error that a publisher may get


@dataclass(frozen=True)
class Published:
    """What the server has acknowledged about a run; `reason` is that of its withdrawal."""

    labels: dict[str, str]
    visibility: str
    reason: str | None = None
    is_deleted: bool = False
    was_public: bool = False


@dataclass
class Publishers:
    """`runs`: by their ids; `acts`: the acknowledged ones; `faults`: answers that nobody should get."""

    server: Server
    secret: str
    seed: int
    runs: dict[str, Published] = field(default_factory=dict)
    acts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    _over: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        self.server.manage("shell", "--verbosity", "0", "-c", SET_PASSWORD)
        for number in range(PUBLISHERS):
            publisher = Publisher(self, random.Random(f"{self.seed}/{number}"))
            self._threads.append(threading.Thread(target=publisher.work, args=(self._over,)))
            self._threads[-1].start()

    def finish(self) -> None:
        """Let every publisher complete its act, and end."""
        self._over.set()
        for thread in self._threads:
            thread.join()


@dataclass
class Publisher:
    """One of them, with runs of its own, so that the order of the acts on a run is known."""

    all: Publishers
    chance: random.Random
    own: list[str] = field(default_factory=list)
    session: requests.Session = field(default_factory=requests.Session)

    def work(self, over: threading.Event) -> None:
        acts = (self.withdraw, self.reinstate, self.edit, self.edit, self.delete)
        while not over.wait(self.chance.uniform(*PAUSE)):
            if len(self.own) < 3 or self.chance.random() < 0.4:
                self.upload()
            else:
                self.chance.choice(acts)(self.chance.choice(self.own))
        self.session.close()

    def upload(self) -> None:
        make = self.chance.choices((document, iozone_document, large_document), (20, 4, 1))[0]
        visibility = self.chance.choice(("public", "public", "public", "private"))
        sent = make(visibility=visibility)
        run_id = sent["run_id"]
        self._until("upload", lambda: self._call("PUT", f"api/v1/runs/{run_id}", encoded(sent)), 200, 201)
        self.own.append(run_id)
        self._keep(run_id, Published(sent["labels"], visibility))

    def withdraw(self, run_id: str) -> None:
        reason = f"<b>disk {self.chance.randrange(100)}</b> was failing"
        body = json.dumps({"reason": reason}).encode()
        self._until("withdrawal", lambda: self._call("PUT", f"api/v1/runs/{run_id}/withdrawal", body), 204)
        self._keep(run_id, replace(self.all.runs[run_id], reason=reason))

    def reinstate(self, run_id: str) -> None:
        self._until("reinstatement", lambda: self._call("DELETE", f"api/v1/runs/{run_id}/withdrawal"), 204)
        self._keep(run_id, replace(self.all.runs[run_id], reason=None))

    def delete(self, run_id: str) -> None:
        self._until("deletion", lambda: self._call("DELETE", f"api/v1/runs/{run_id}"), 204, 410)
        self.own.remove(run_id)
        self._keep(run_id, replace(self.all.runs[run_id], is_deleted=True))

    def edit(self, run_id: str) -> None:
        """Set labels and visibility on the page of the run."""
        labels = {"disk": f"d{self.chance.randrange(100)}", "Gerät": "ä & <i>"}
        visibility = self.chance.choice(("public", "public", "private", "unlisted"))
        fields = {"labels": "\n".join(f"{name} = {value}" for name, value in labels.items()), "visibility": visibility}
        self._until("edit", lambda: self._send_form(f"runs/{run_id}/edit/", fields), 302)
        self._keep(run_id, replace(self.all.runs[run_id], labels=labels, visibility=visibility))

    def _keep(self, run_id: str, run: Published) -> None:
        was_public = run.was_public or run.visibility == "public"
        self.all.runs[run_id] = replace(run, was_public=was_public)

    def _until(self, act: str, send: Callable[[], int | None], *done: int) -> None:
        """Send repeatedly until the server acknowledges it."""
        while (status := send()) not in done:
            if status not in (None, LATER):
                self.all.faults.append(f"{act}: {status}")
            time.sleep(self.chance.uniform(*PAUSE))
        self.all.acts[act] += 1

    def _call(self, method: str, path: str, body: bytes | None = None) -> int | None:
        """The status of the answer of the API; None if there was none."""
        headers = {"Authorization": f"Bearer {self.all.secret}", "Content-Type": "application/json"}
        try:
            return requests.request(
                method, self.all.server.url + path, data=body, headers=headers, timeout=60
            ).status_code
        except requests.RequestException:
            return None

    def _send_form(self, path: str, fields: dict[str, str]) -> int | None:
        """The status of the answer to a form; None if there was none, or if the publisher must sign in first."""
        try:
            if "sessionid" not in self.session.cookies and not self._sign_in():
                return None
            answer = self._post(path, fields)
        except requests.RequestException:
            return None
        if "/login/" in answer.headers.get("Location", ""):
            self.session.cookies.clear()
            return None
        return answer.status_code

    def _sign_in(self) -> bool:
        self.session.cookies.clear()
        self.session.get(self.all.server.url + "login/", timeout=60)
        return self._post("login/", {"username": "ada", "password": PASSWORD}).status_code == 302

    def _post(self, path: str, fields: dict[str, str]) -> requests.Response:
        token = self.session.cookies.get("csrftoken", default="")
        data = {**fields, "csrfmiddlewaretoken": token}
        return self.session.post(self.all.server.url + path, data=data, allow_redirects=False, timeout=60)
