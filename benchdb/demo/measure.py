"""The agent's part of the demo, run as a user would run it: `benchagent run`, then `benchagent upload`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

AGENTS = settings.BASE_DIR / "agents"
# Lines of the agent that are about one point each: dozens, and the demo's own list at the end has the addresses.
OF_POINTS = ("round ", "Kept ", "Uploaded ", "Campaign ", "Announced", "Ended", "The s")


class AgentFailed(Exception):
    """The agent failed and has printed the error; `code` is its exit code."""

    def __init__(self, code: int) -> None:
        self.code = code
        super().__init__(f"the agent ended with exit code {code}")


@dataclass(frozen=True)
class DemoAgent:
    """An agent with its own directory for images and spool, a server, and a file with the token."""

    directory: Path
    address: str
    token_file: Path

    @property
    def spool(self) -> Path:
        return self.directory / "spool"

    def measure(self, plan: Path, target: Path | None) -> None:
        """Run a plan; the agent prints its progress on this terminal, a line a round. Raises AgentFailed."""
        where = ["--directory", str(target)] if target else []
        work = ["--work-dir", str(self.directory / "images")]
        self._run(["run", str(plan), *where, *work, "--visibility", "public"])

    def upload(self) -> None:
        """Send everything that waits in the spool. Raises AgentFailed."""
        self._run(["upload", "--server", self.address, "--token-file", str(self.token_file)])

    def sent(self) -> set[str]:
        """The ids of the runs that the server has."""
        status = subprocess.run(
            [*self._command(["status", "--json"])], env=self._environment(), capture_output=True, check=True
        )
        return {run["run_id"] for run in json.loads(status.stdout)["runs"] if run["state"] == "sent"}

    def _run(self, arguments: Sequence[str]) -> None:
        command, environment = self._command(arguments), self._environment()
        with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
            try:
                for line in process.stderr or ():
                    if not line.startswith(OF_POINTS):
                        print(line, end="", flush=True)
                code = process.wait()
            except KeyboardInterrupt:
                # The terminal sent Ctrl-C to the agent too; it unmounts its file systems before it ends.
                process.wait()
                raise
            except BaseException:
                process.send_signal(signal.SIGTERM)
                process.wait()
                raise
        if code != 0:
            raise AgentFailed(code)

    def _command(self, arguments: Sequence[str]) -> list[str]:
        return [sys.executable, "-m", "benchagent", *arguments]

    def _environment(self) -> dict[str, str]:
        # The user's settings for another server must not apply to the demo's public runs.
        others = {name: value for name, value in os.environ.items() if not name.startswith("BENCHAGENT_")}
        own = {"BENCHAGENT_SPOOL": str(self.spool), "BENCHAGENT_STATE": str(self.directory / "state")}
        return {**others, **own, "PYTHONPATH": str(AGENTS), "PYTHONUNBUFFERED": "1"}
