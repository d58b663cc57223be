"""`manage.py demo`: measure this machine, store it, compute, compare, share."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from argparse import ArgumentParser
from pathlib import Path
from types import FrameType

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from benchdb.demo.http import Unexpected, get_json
from benchdb.demo.measure import AGENTS, AgentFailed, DemoAgent
from benchdb.demo.pages import DemoRun, check, make_pages
from benchdb.demo.server import ServerFailed, last_lines, server
from benchdb.wording.numbers import say_duration

OWNER = "demo"
READY_SECONDS = 120
POLL_SECONDS = 0.2


class Command(BaseCommand):
    """Runs all steps of BenchDB on this machine."""

    help = "Starts BenchDB, measures this machine for about two minutes, and prints what to look at."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--once", action="store_true", help="check the pages and stop, instead of staying up")
        parser.add_argument("--directory", type=Path, help="measure in this directory instead of on images")
        parser.add_argument("--plan", type=Path, help="another plan than the one that is shipped for the demo")
        parser.add_argument("--port", type=int, help="port of the server (8000, or a free one)")

    def handle(self, *, once: bool, directory: Path | None, plan: Path | None, port: int | None, **_: object) -> None:
        """Run the demo; Ctrl-C stops every process that it started."""
        signal.signal(signal.SIGTERM, _interrupt)
        state = settings.VAR_DIR / "demo"
        state.mkdir(parents=True, exist_ok=True)
        target = self.target(directory, state)
        log = settings.VAR_DIR / "log" / "demo.log"
        self.say(f"Starting the server (its log: {log})")
        try:
            with server(port, log) as (address, process):
                self.say(f"BenchDB is at {address}/")
                self.say("Loading the figures of published articles")
                call_command("load_publications", stdout=self.stdout)
                agent = DemoAgent(state, address, state / "token")
                # Root measures five file systems on images; a directory has only its own file system.
                if plan is None:
                    plan = AGENTS / "plans" / ("directory.toml" if target else "demo.toml")
                    self.say("Measuring takes less than two minutes, longer on a busy machine")
                self.demonstrate(agent, plan, target)
                if not once:
                    self.say("The server stays up. Ctrl-C stops it; the data stay in var/.")
                    process.wait()
                    raise CommandError(f"The server stopped by itself:\n{last_lines(log)}")
        except KeyboardInterrupt:
            self.say("Stopped. Everything that was measured is in var/.")
        except (ServerFailed, Unexpected) as error:
            raise CommandError(str(error)) from None
        except AgentFailed as error:
            raise CommandError(str(error), returncode=error.code) from None
        except subprocess.CalledProcessError as error:
            raise CommandError(f"{error}: {error.stderr.decode(errors='replace')}") from None

    def demonstrate(self, agent: DemoAgent, plan: Path, target: Path | None) -> None:
        """Measure, upload, wait, and show the pages. Raises AgentFailed or Unexpected."""
        token = self.token(agent.token_file)
        before, start = agent.sent(), time.monotonic()
        agent.measure(plan, target)
        self.say(f"Measured in {say_duration(time.monotonic() - start)}")
        agent.upload()
        runs = self.wait_for(agent.address, sorted(agent.sent() - before))
        pages = make_pages(agent.address, token, runs)
        for page in pages:
            check(page)
        self.say(f"Runs stored, with their statistics: {len(runs)}. Look at:")
        for page in pages:
            self.stdout.write(f"    {page.title + ':':<28}{page.url}")
        self.say(f"All articles are at {agent.address}/articles/")

    def target(self, chosen: Path | None, directory: Path) -> Path | None:
        """The directory to measure; None if root measures images."""
        if chosen is not None and not chosen.is_dir():
            raise CommandError(f"{chosen} is not a directory. Name one on the file system to measure: make demo DIR=…")
        if chosen is not None or os.geteuid() == 0:
            return chosen
        files = directory / "files"
        files.mkdir(exist_ok=True)
        self.say(f"Without root no file system can be made: measuring the one that holds {files} (another: DIR=…)")
        return files

    def token(self, file: Path) -> str:
        """A new token for the agent, written to a file that only its owner can read."""
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as output:
            scopes = ["--scope", "upload", "--scope", "read"]
            call_command("token", OWNER, "--create-owner", "--name", "demo", *scopes, stdout=output)
        return file.read_text().strip()

    def wait_for(self, address: str, ids: list[str]) -> list[DemoRun]:
        """The runs once their statistics are ready. Raises Unexpected on failure or after READY_SECONDS."""
        deadline = time.monotonic() + READY_SECONDS
        for run_id in ids:
            while (state := get_json(f"{address}/api/v1/runs/{run_id}/state"))["state"] != "ready":
                if state["state"] == "failed" or time.monotonic() > deadline:
                    raise Unexpected(f"The statistics of run {run_id} are {state['state']}. {state['failure']}")
                time.sleep(POLL_SECONDS)
        return [get_json(f"{address}/api/v1/runs/{run_id}") for run_id in ids]

    def say(self, text: str) -> None:
        """Print a line of progress at once."""
        self.stdout.write(text)
        self.stdout.flush()


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
