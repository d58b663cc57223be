"""The site behind the proxy of docker-compose.yml, and an agent on this machine that measures and uploads to it."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tools.containers.commands import ROOT, Failed, run, say, until

PYTHON = ROOT / ".venv" / "bin" / "python"
URL, PLAIN = "https://localhost", "http://localhost/"
READY_SECONDS = 300
RUNS = 3  # of an agent
PLAN = """
name = "compose"
rounds = 2

[[targets]]
kind = "directory"
"""
WORKLOAD = """
[[workloads]]
tool = "fsload"
name = "{}"
file_sizes = ["64 KiB", "256 KiB"]
record_sizes = ["4 KiB", "64 KiB"]
"""
HEADERS = ("strict-transport-security", "content-security-policy", "x-content-type-options", "permissions-policy")
REFUSED = {  # what else the proxy answers
    "404 ": [f"{URL}/metrics"],
    "400 ": ["--header", "Host: elsewhere.example.org", f"{URL}/"],
    f"301 {URL}/": [PLAIN],
}


def ask(*arguments: str) -> str:
    """What curl prints, which trusts the certificate named by CURL_CA_BUNDLE. Raises Failed.

    It asks again after a failure: the site answers 503 until a database that was killed has recovered.
    """
    return run(
        "curl", "--silent", "--show-error", "--retry", "30", "--retry-delay", "1", "--retry-all-errors", *arguments
    )


def documents(run_ids: Iterable[str]) -> dict[str, str]:
    """The stored documents of runs. Raises Failed if one is not there."""
    return {run_id: ask("--fail", f"{URL}/api/v1/runs/{run_id}/document") for run_id in run_ids}


def ready(run_id: str) -> bool:
    """Whether the statistics of a run are computed. Raises Failed."""
    return bool(json.loads(ask("--fail", f"{URL}/api/v1/runs/{run_id}/state"))["state"] == "ready")


def check(run_id: str) -> None:
    """Ask for the page of a run and its tables, and for what the proxy refuses. Raises Failed."""
    for page in (f"/runs/{run_id}/", f"/compare/?run={run_id}", f"/compare/table.csv?run={run_id}"):
        answer, seconds = ask("--fail", "--include", "--write-out", "\n%{time_total}", URL + page).rsplit("\n", 1)
        if missing := [name for name in HEADERS if f"\n{name}:" not in answer.lower()]:
            raise Failed(f"{page} has no {', '.join(missing)}")
        say(f"{page}: {len(answer)} bytes after {seconds} s, with the headers of a public site")
    for wanted, arguments in REFUSED.items():
        answer = ask("--output", "/dev/null", "--write-out", "%{http_code} %{redirect_url}", *arguments)
        if answer.strip() != wanted.strip():
            raise Failed(f"{arguments[-1]} answers {answer}, not {wanted}")


class Agent:
    """An agent that has measured a directory. It keeps each run in a spool until the site acknowledges it."""

    def __init__(self, folder: Path, token: str) -> None:
        """Measure. Raises Failed."""
        home = Path(tempfile.mkdtemp(dir=folder))
        (home / "plan.toml").write_text(PLAN + "".join(map(WORKLOAD.format, range(RUNS))))
        (home / "files").mkdir()
        self._spool = home / "spool"
        settings = {"TOKEN": token, "STATE": str(home / "state"), "SPOOL": str(self._spool)}
        self._environment = {**os.environ, "PYTHONPATH": "agents", "SSL_CERT_FILE": os.environ["CURL_CA_BUNDLE"]}
        self._environment |= {f"BENCHAGENT_{name}": text for name, text in settings.items()}
        command: list[str | Path] = [PYTHON, "-m", "benchagent", "run", home / "plan.toml"]
        run(*command, "--directory", home / "files", env=self._environment)

    def start_upload(self) -> subprocess.Popen[str]:
        """Start to send what is not acknowledged; the process ends when its statistics are computed."""
        command: list[str | Path] = [PYTHON, "-m", "benchagent", "upload", "--server", URL]
        return subprocess.Popen(command, cwd=ROOT, env=self._environment, stderr=subprocess.PIPE, text=True)

    def acknowledged(self) -> list[str]:
        """The ids of the runs that the site has acknowledged."""
        return [path.name.partition(".")[0] for path in (self._spool / "sent").glob("*.answer.json")]

    def upload(self) -> dict[str, str]:
        """Send what is not acknowledged, and wait until all is ready; the stored documents of all. Raises Failed."""
        with self.start_upload() as process:
            _, errors = process.communicate()
        if process.returncode != 0:
            raise Failed(f"the agent could not upload:\n{errors}")
        if len(ids := self.acknowledged()) != RUNS:
            raise Failed(f"{len(ids)} of {RUNS} runs are uploaded")
        until("the runs are ready", lambda: all(map(ready, ids)), READY_SECONDS)
        return documents(ids)
