"""One agent after the other with the same state directory: started, watched, killed, started again."""

import json
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from benchdb.embedded.config import PROJECT
from tests.support.signals import signalled

PLAN = """
name = "faults"
rounds = 2
memory = "256 MiB"

[[targets]]
kind = "image"
size = "128 MiB"
file_system = ["ext2", "ext4"]
read_ahead = "76 KiB"
scheduler = "mq-deadline"

[[targets]]
kind = "directory"

[[workloads]]
tool = "fsload"
file_sizes = ["1 MiB"]
record_sizes = ["4 KiB", "64 KiB"]
tests = ["write", "read"]
"""
# Allowed exit codes of an agent while its server comes and goes; any other shows a defect.
DONE, UNDECIDED = 0, 8


class Agent:
    """Runs `python -m benchagent` with all data below `base`; `told` gets each event of the agents."""

    def __init__(self, base: Path, url: str, secret: str, told: Callable[[str], None]) -> None:
        self.base, self.spool, self._told = base, base / "state/spool", told
        (base / "target").mkdir()
        (base / "plan.toml").write_text(PLAN)
        (base / "token").write_text(secret)
        self._environment = {
            **signalled(),
            "PYTHONPATH": str(PROJECT / "agents"),
            "BENCHAGENT_STATE": str(base / "state"),
            "BENCHAGENT_SERVER": url,
        }
        self._environment.pop("BENCHAGENT_SPOOL", None)
        self.process: subprocess.Popen[str] | None = None
        self.heard: Counter[tuple[str, str]] = Counter()  # finished rounds in the agents' events, by campaign and point
        self._listeners: list[threading.Thread] = []
        self._log = base / "agent.log"

    def start(self, *arguments: str) -> None:
        """Start an agent after the previous one has ended."""
        command = [sys.executable, "-m", "benchagent", *arguments]
        with self._log.open("a") as log:
            self.process = subprocess.Popen(
                command, env=self._environment, stdout=subprocess.PIPE, stderr=log, text=True
            )
        self._listeners.append(threading.Thread(target=self._listen, args=(self.process,), daemon=True))
        self._listeners[-1].start()

    def measure(self) -> None:
        directory = ("--directory", str(self.base / "target"))
        self.start("run", str(self.base / "plan.toml"), *directory, "--json", *self._token())

    def upload(self) -> None:
        self.start("upload", "--json", *self._token())

    def ended(self) -> bool:
        """Whether no agent runs. An agent that failed by itself fails the test."""
        if self.process is None or self.process.poll() is None:
            return self.process is None
        assert self.process.returncode in (DONE, UNDECIDED), self.last_words()
        self.process = None
        return True

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        self.process = None

    def finish(self, *arguments: str) -> int:
        """Run one command to its end. Returns its exit code."""
        self.start(*arguments)
        assert self.process is not None
        code = self.process.wait(timeout=120)
        self.process = None
        return code

    def finish_upload(self) -> int:
        return self.finish("upload", "--json", *self._token())

    def finish_serving(self) -> int:
        return self.finish("serve", "--once", "--json", *self._token())

    def last_words(self) -> str:
        """The agents' error messages, for a failed test."""
        return f"exit code {self.process and self.process.returncode}, last words:\n{self._log.read_text()[-3000:]}"

    def documents(self, folder: str = "sent") -> dict[str, dict[str, Any]]:
        """The documents of a folder of the spool by their ids."""
        paths = [path for path in (self.spool / folder).glob("*.json") if ".answer." not in path.name]
        return {path.stem: json.loads(path.read_text()) for path in paths}

    def lost(self, stored: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], int]:
        """The numbers of finished rounds that are missing from the documents `stored`, by campaign and point."""
        for listener in self._listeners:
            listener.join()
        found = Counter({(each["campaign"]["id"], each["campaign"]["point"]): len(each["rounds"]) for each in stored})
        return dict(self.heard - found)

    def _token(self) -> tuple[str, str]:
        return ("--token-file", str(self.base / "token"))

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        campaign = ""
        with process.stdout:
            for line in process.stdout:
                if line.endswith("\n"):  # otherwise cut off by the kill
                    event = json.loads(line)
                    campaign = event["campaign_id"] if event["event"] == "announced" else campaign
                    self.heard[campaign, event.get("point")] += event["event"] == "point_finished"
                    self._told(event["event"])
