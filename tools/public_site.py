"""The site behind the proxy of docker-compose.yml, and an agent on this machine that measures and uploads to it."""

from __future__ import annotations

import json
import os
import ssl
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from tools.commands import ROOT, Failed, run, say

PYTHON = ROOT / ".venv" / "bin" / "python"
READY_SECONDS = 120
PLAN = """
name = "compose"
rounds = 2

[[targets]]
kind = "directory"

[[workloads]]
tool = "fsload"
file_sizes = ["64 KiB", "256 KiB"]
record_sizes = ["4 KiB", "64 KiB"]
"""
HEADERS = {"Strict-Transport-Security", "Content-Security-Policy", "X-Content-Type-Options", "Permissions-Policy"}


@dataclass(frozen=True, slots=True)
class PublicSite:
    """The site behind the proxy."""

    url: str
    plain: str  # the address without TLS
    certificate: Path

    def get(self, path: str, host: str | None = None) -> tuple[bytes, set[str]]:
        """The content of a page and the names of its headers. Raises HTTPError if the answer is not 200."""
        trusted = ssl.create_default_context(cafile=self.certificate)
        request = urllib.request.Request(f"{self.url}{path}", headers={"Host": host} if host else {})
        with urllib.request.urlopen(request, timeout=30, context=trusted) as answer:
            return answer.read(), set(answer.headers)

    def refuses(self, path: str, status: int, host: str | None = None) -> None:
        """Check the status of an answer that is not 200. Raises Failed."""
        try:
            self.get(path, host)
        except urllib.error.HTTPError as error:
            if error.code == status:
                return
            raise
        raise Failed(f"{path} of {host or self.url} answers 200 and not {status}")

    def until_ready(self, run_id: str) -> None:
        """Wait until a run is ready. Raises Failed."""
        end = time.monotonic() + READY_SECONDS
        state = "not stored"
        while time.monotonic() < end:
            state = json.loads(self.get(f"/api/v1/runs/{run_id}/state")[0])["state"]
            if state == "ready":
                return
            time.sleep(1)
        raise Failed(f"run {run_id} is {state}")

    def check(self, run_id: str) -> None:
        """Ask for pages, for what the proxy keeps from the network, and for a page without TLS. Raises Failed."""
        for page in (f"/runs/{run_id}/", f"/compare/?run={run_id}", f"/compare/table.csv?run={run_id}"):
            started = time.monotonic()
            content, headers = self.get(page)
            if missing := HEADERS - headers:
                raise Failed(f"{page} has no {', '.join(missing)}")
            say(f"{page}: {len(content)} bytes after {time.monotonic() - started:.2f} s, headers of a public site")
        self.refuses("/metrics", 404)
        self.refuses("/", 400, "elsewhere.example.org")
        written = "%{http_code} %{redirect_url}"
        status = run("curl", "--silent", "--output", "/dev/null", "--write-out", written, self.plain)
        if status != "301 https://localhost/":
            raise Failed(f"{self.plain} answers {status}")


class Agent:
    """An agent that measures a directory. It keeps documents in a spool until the site has acknowledged them."""

    def __init__(self, folder: Path, token: str, site: PublicSite) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="agent-", dir=folder))
        (self._folder / "plan.toml").write_text(PLAN)
        (self._folder / "files").mkdir()
        names = {"TOKEN": token, "STATE": str(self._folder / "state"), "SPOOL": str(self._folder / "spool")}
        self._environment = {**os.environ, "PYTHONPATH": "agents", "SSL_CERT_FILE": str(site.certificate)}
        self._environment |= {f"BENCHAGENT_{name}": text for name, text in names.items()}
        self._server = ["--server", site.url]

    def measure(self, upload: bool = False) -> None:
        """Measure, and send the document if asked to. Raises Failed."""
        plan: list[str | Path] = [self._folder / "plan.toml", "--directory", self._folder / "files"]
        run(PYTHON, "-m", "benchagent", "run", *plan, *(self._server if upload else []), env=self._environment)

    def uploading(self) -> subprocess.Popen[bytes]:
        """Start sending what waits; the process ends when it is sent and its statistics are computed."""
        command = [PYTHON, "-m", "benchagent", "upload", *self._server]
        return subprocess.Popen(command, cwd=ROOT, env=self._environment, stdout=subprocess.DEVNULL)

    def acknowledged(self) -> list[str]:
        """The ids of the runs that the site has acknowledged."""
        answers = (self._folder / "spool" / "sent").glob("*.answer.json")
        return sorted(answer.name.removesuffix(".answer.json") for answer in answers)
