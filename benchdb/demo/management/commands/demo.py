"""`manage.py demo`: load recorded runs, measure this machine, store it, compute, compare, share."""

from __future__ import annotations

import io
import logging
import os
import secrets
import signal
import subprocess
import time
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from types import FrameType

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from benchdb.demo.http import Unexpected, get_json
from benchdb.demo.measure import AGENTS, AgentFailed, DemoAgent
from benchdb.demo.pages import DemoPage, DemoRun, check, make_pages, make_recorded_pages
from benchdb.demo.recordings import NAMES, day, ids_of, store
from benchdb.demo.server import ServerFailed, last_lines, server
from benchdb.wording.numbers import plural, say_duration

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
        parser.add_argument("--idle", type=int, default=60, help="wait so many seconds at most for an idle machine")

    def handle(
        self, *, once: bool, directory: Path | None, plan: Path | None, port: int | None, idle: int, **_: object
    ) -> None:
        """Run the demo; Ctrl-C stops every process that it started."""
        logging.disable(logging.INFO)
        signal.signal(signal.SIGTERM, _interrupt)
        state = settings.VAR_DIR / "demo"
        state.mkdir(parents=True, exist_ok=True)
        target = self.target(directory, state)
        log = settings.VAR_DIR / "log" / "demo.log"
        self.say(f"Starting the server (its log: {log})")
        try:
            with server(port, log) as (address, process):
                agent = DemoAgent(state, address, state / "token")
                token = self.token(agent.token_file)
                self.load(address, token)
                self.say(f"Waiting until this machine is idle, {idle} s at most")
                if not wait_until_idle(idle):
                    self.say("It is still busy, so the figures will vary more")
                # Root measures five file systems on images; a directory has only its own file system.
                if plan is None:
                    plan = AGENTS / "plans" / ("directory.toml" if target else "demo.toml")
                    self.say("Measuring takes less than two minutes, longer on a busy machine")
                self.demonstrate(agent, token, plan, target)
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

    def load(self, address: str, token: str) -> None:
        """Load the articles, and the recordings that the server lacks. Raises Unexpected."""
        self.say("Loading published articles and recorded runs")
        call_command("load_publications", stdout=io.StringIO())
        for name in NAMES:
            store(name, address, token)
        self.wait_ready(address, [run for name in NAMES for run in ids_of(name)])

    def demonstrate(self, agent: DemoAgent, token: str, plan: Path, target: Path | None) -> None:
        """Measure, upload, wait, and show the pages. Raises AgentFailed or Unexpected."""
        before, start = agent.sent(), time.monotonic()
        agent.measure(plan, target)
        self.say(f"Measured in {say_duration(time.monotonic() - start)}")
        agent.upload()
        self.wait_ready(agent.address, ids := sorted(agent.sent() - before))
        runs: list[DemoRun] = [get_json(f"{agent.address}/api/v1/runs/{run_id}") for run_id in ids]
        measured, recorded = make_pages(agent.address, token, runs), make_recorded_pages(agent.address)
        for page in (*measured, *recorded):
            check(page)
        self.say(f"\nBenchDB is at {agent.address}/")
        self.say(f"Sign in at {agent.address}/login/ as {OWNER}, password {self.password(agent.directory)}")
        self.list_pages(f"Measured now ({plural(len(runs), 'run')}):", measured)
        self.list_pages(f"Recorded on {day()} on a virtual machine (their label and machine say so):", recorded)

    def list_pages(self, title: str, pages: Iterable[DemoPage]) -> None:
        """Print pages with their addresses."""
        self.stdout.write(title)
        for page in pages:
            self.stdout.write(f"    {page.title + ':':<28}{page.url}")

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
        with open(file, "w", opener=_private) as output:
            scopes = ["--scope", "upload", "--scope", "read"]
            call_command("token", OWNER, "--create-owner", "--name", "demo", *scopes, stdout=output)
        return file.read_text().strip()

    def password(self, folder: Path) -> str:
        """The password of the demo's account, made in the first demo."""
        file = folder / "password"
        if not file.exists():
            owner = get_user_model().objects.get(username=OWNER)
            owner.set_password(secret := secrets.token_urlsafe(9))
            owner.save()
            with open(file, "w", opener=_private) as output:
                output.write(secret)
        return file.read_text()

    def wait_ready(self, address: str, ids: list[str]) -> None:
        """Wait until the statistics of these runs are ready. Raises Unexpected on failure or after READY_SECONDS."""
        deadline = time.monotonic() + READY_SECONDS
        for run_id in ids:
            while (state := get_json(f"{address}/api/v1/runs/{run_id}/state"))["state"] != "ready":
                if state["state"] == "failed" or time.monotonic() > deadline:
                    raise Unexpected(f"The statistics of run {run_id} are {state['state']}. {state['failure']}")
                time.sleep(POLL_SECONDS)

    def say(self, text: str) -> None:
        """Print a line of progress at once."""
        self.stdout.write(text)
        self.stdout.flush()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


BUSY = 0.1  # share of the processors that may work in a second
QUIET_SECONDS = 3


def wait_until_idle(seconds: int) -> bool:
    """Wait until the machine was idle for some seconds; False if it was not within `seconds`."""
    quiet, deadline, before = 0, time.monotonic() + seconds, _ticks()
    while quiet < QUIET_SECONDS and time.monotonic() < deadline:
        time.sleep(1)
        now = _ticks()
        busy = 1 - (now[1] - before[1]) / max(1, now[0] - before[0])
        quiet, before = (quiet + 1 if busy < BUSY else 0), now
    return quiet >= QUIET_SECONDS


def _ticks() -> tuple[int, int]:
    """The time of all processors since the start, and their idle part, waiting for disks included."""
    ticks = [int(field) for field in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
    return sum(ticks), ticks[3] + ticks[4]
