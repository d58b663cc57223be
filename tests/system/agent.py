"""A real agent beside a real server, and a plan that takes a moment."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchdb.embedded.config import PROJECT
from tests.support.campaigns import PLAN
from tests.support.signals import signalled
from tests.system.server import PATIENCE, Server

TINY = PLAN + 'tests = ["write", "read"]\n'


class Agent:
    """An agent with its own state directory and config file, and one directory for measurements."""

    def __init__(self, server: Server, base: Path, name: str, owner: str = "ada") -> None:
        self.server, self.name, self.state, self.target = server, name, base / "state", base / "target"
        self.target.mkdir(parents=True)
        self.state.mkdir()
        (self.state / "config.toml").write_text(f'[targets]\ndirectories = ["{self.target}"]\n')
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(PROJECT / "agents"),
            "BENCHAGENT_STATE": str(self.state),
            "BENCHAGENT_SERVER": server.url,
            "BENCHAGENT_TOKEN": server.manage(
                "token", owner, "--create-owner", "--scope", "upload", "--scope", "serve"
            ),
        }
        self.person = server.manage("token", owner, "--scope", "queue", "--scope", "read")

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "benchagent", "serve", "--machine-name", self.name, "--json", *arguments]

    def once(self) -> list[dict[str, Any]]:
        """Serve until no job waits. Returns the events."""
        done = subprocess.run(
            self.command("--once"), env=self.environment, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    @contextmanager
    def serving(self) -> Iterator[subprocess.Popen[str]]:
        """Serve in the background. A remaining process is killed at the end."""
        command = self.command("--every", "0.2 s")
        with subprocess.Popen(
            command, env=signalled(self.environment), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def queue(self, plan: str) -> str:
        """Queue a plan for this machine through the API. Returns the job's id."""
        body = json.dumps({"plan": plan, "machines": [self.name], "visibility": "public"}).encode()
        status, answer = self.server.request("api/v1/queue", "POST", self.person, body)
        assert status == 201, answer
        (job,) = json.loads(answer)["jobs"]
        return str(job["id"])

    def job(self, job_id: str) -> dict[str, Any]:
        status, answer = self.server.request(f"api/v1/queue/{job_id}", secret=self.person)
        assert status == 200, answer
        found: dict[str, Any] = json.loads(answer)
        return found

    def until(self, job_id: str, wanted: Any) -> dict[str, Any]:
        """Wait until `wanted` holds for the job. Returns the job."""
        end = time.monotonic() + PATIENCE
        while not wanted(job := self.job(job_id)):
            assert time.monotonic() < end, job
            time.sleep(0.1)
        return job

    def campaign(self, job: dict[str, Any]) -> dict[str, Any]:
        status, answer = self.server.request(f"api/v1/campaigns/{job['campaign_id']}", secret=self.person)
        assert status == 200, answer
        found: dict[str, Any] = json.loads(answer)
        return found
