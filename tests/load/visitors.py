"""Readers, agents and people, as Locust's users: `tests/load/site.py` runs Locust on this file.

The file LOAD_SITE describes the site. Every unexpected answer is a failure.
"""

import gzip
import json
import os
import random
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from locust import FastHttpUser, between, constant_pacing, task

from tests.support.documents import uuid7

SITE: dict[str, Any] = json.loads(Path(os.environ["LOAD_SITE"]).read_text())
WEIGHTS = [each["weight"] for each in SITE["reads"]]
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
RUN = re.compile(r'href="/runs/([0-9a-f-]{36})/"')
PATIENCE = 60.0  # seconds until a run is ready or an import is read
POLL_SECONDS = 1.0
_numbers = count()


class Visitor(FastHttpUser):
    """A visitor without a persistent connection, as behind a proxy, whose browser supports gzip."""

    abstract = True
    network_timeout = connection_timeout = PATIENCE
    insecure = True
    default_headers = {"Connection": "close", "Accept-Encoding": "gzip", "Accept": "text/html"}

    @contextmanager
    def answer(self, method: str, path: str, name: str, *statuses: int, **more: Any) -> Iterator[Any]:
        """Send a request; any status but these is a failure."""
        with self.client.request(method, path, name=name, catch_response=True, **more) as response:
            if response.status_code not in statuses:
                response.failure(f"{response.status_code} {(response.text or '')[:200]!r} {response.error or ''}")
            else:
                response.success()
            yield response


class Reader(Visitor):
    """Reads public pages."""

    wait_time = between(0.5, 3.5)

    def on_start(self) -> None:
        self.seen: dict[str, str] = {}

    @task
    def read(self) -> None:
        """Read one page or file. The answer to a picture that a worker must make first may be 202."""
        (read,) = random.choices(SITE["reads"], WEIGHTS)
        path = random.choice(read["paths"])
        tag = self.seen.get(path) if read["again"] else None
        headers = {"If-None-Match": tag} if tag else {}
        name = read["kind"] if tag or not read["again"] else "permalink"
        with self.answer("GET", path, name, 304 if tag else 200, 202, headers=headers) as response:
            if "ETag" in response.headers:
                self.seen[path] = response.headers["ETag"]


class Agent(Visitor):
    """Sends a reference run and polls until it is ready."""

    fixed_count = 5
    wait_time = constant_pacing(30)

    def on_start(self) -> None:
        self.texts = [Path(each).read_bytes() for each in SITE["documents"]]
        time.sleep(random.uniform(0, 30))  # spreads the agents' requests

    @task
    def deliver(self) -> None:
        """Deliver one run."""
        text, run_id = random.choice(self.texts), str(uuid7())
        body = gzip.compress(text.replace(json.loads(text)["run_id"].encode(), run_id.encode()), compresslevel=1)
        fields = {
            "Authorization": f"Bearer {SITE['secret']}",
            "Content-Type": "application/json",
            "Content-Encoding": "gzip",
        }
        with self.answer("PUT", f"/api/v1/runs/{run_id}", "upload of 13,000 values", 201, data=body, headers=fields):
            pass
        started = time.monotonic()
        while self._stands(run_id) != "ready":
            if time.monotonic() - started > PATIENCE:
                self._say("run ready", started, TimeoutError(f"run {run_id} is not ready"))
                return
            time.sleep(POLL_SECONDS)
        self._say("run ready", started)

    def _stands(self, run_id: str) -> str:
        with self.answer("GET", f"/api/v1/runs/{run_id}/state", "API: state", 200) as found:
            return str(found.json()["state"]) if found.status_code == 200 else ""

    def _say(self, name: str, started: float, error: Exception | None = None) -> None:
        """Report the time from the answer to the upload until the statistics were ready."""
        took = 1000 * (time.monotonic() - started)
        self.environment.events.request.fire(
            request_type="", name=name, response_time=took, response_length=0, exception=error, context={}
        )


class Person(Visitor):
    """Signs in, imports a file, shares the run, signs out."""

    fixed_count = len(SITE["people"])
    wait_time = constant_pacing(60)

    def on_start(self) -> None:
        self.name = SITE["people"][next(_numbers) % len(SITE["people"])]
        time.sleep(random.uniform(0, 30))

    @task
    def work(self) -> None:
        """Do all of it."""
        self._post("/login/", "/login/", "sign in", {"username": self.name, "password": SITE["password"]})
        draft = self._post("/import/", "/import/", "import: give", {"text": SITE["text"]})
        if draft and self._until(draft, "import: look", 'name="machine"'):
            fields = {"do": "store", "machine": f"{self.name}'s old one", "visibility": "public"}
            self._post(draft, draft, "import: store", fields)
            if run := self._until(draft, "import: look", RUN):
                self._look(f"/runs/{run}/")
                self._post("/runs/", "/share/", "share", {"query": f"run={run}&test=read", "kind": "surface"})
        self._post("/account/", "/logout/", "sign out", {})

    def _post(self, page: str, address: str, name: str, fields: dict[str, str]) -> str:
        """Send a form of a page. Returns the address of the redirect, or "" if the form was refused."""
        with self.answer("GET", page, f"{name}: form", 200) as form:
            token = TOKEN.search(form.text or "")
        data = {"csrfmiddlewaretoken": token[1] if token else "", **fields}
        headers = {"Referer": self.host + page}
        with self.answer("POST", address, name, 302, data=data, headers=headers, allow_redirects=False) as response:
            return str(response.headers.get("Location", "")) if response.status_code == 302 else ""

    def _until(self, path: str, name: str, wanted: str | re.Pattern[str]) -> str:
        """Request a page until it contains `wanted`. Returns the match, or "" after a time limit."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with self.answer("GET", path, name, 200) as response:
                if hit := re.search(wanted, response.text or ""):
                    return hit[hit.re.groups]
            time.sleep(POLL_SECONDS)
        return ""

    def _look(self, path: str) -> None:
        with self.answer("GET", path, "run", 200):
            pass
