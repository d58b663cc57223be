"""`benchagent serve`: executes the plans that a server has queued for this machine."""

from __future__ import annotations

import argparse
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchagent import config, inventory
from benchagent.errors import PreparationError, UsageError
from benchagent.measuring.execution import Setting
from benchagent.progress import reporter
from benchagent.queue.job import HeldJob
from benchagent.queue.offer import offer_of
from benchagent.queue.serving import Agent, serve
from benchagent.system.interrupts import raising
from benchagent.system.state_directory import state_directory
from benchagent.toml.quantities import parse_duration

from . import options, servers

EVERY = 15.0  # seconds
LEAST = 0.1  # seconds


def declare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Run the queued plans of this machine, one at a time, only on the targets that the config file allows."
    )
    parser.add_argument(
        "--every", metavar="TIME", type=_every, default=EVERY, help="time between two requests for work (default: 15 s)"
    )
    parser.add_argument("--once", action="store_true", help="end when no plan is waiting")
    parser.add_argument("--machine-name", metavar="NAME", help="name of this machine")
    options.add_work(parser)
    options.add_server(parser)
    options.add_spool(parser)
    options.add_json(parser, "print events as JSON lines")


def run(args: argparse.Namespace) -> int:
    """Serve until a signal arrives (Stopped).

    Raises UsageError without a server, QueueRefused if the server refuses.
    """
    settings = config.load()
    client = servers.open_client(args)
    if client is None:
        raise UsageError(f"There is no server. Give --server URL, or set {options.SERVER}.")
    spool, tell = options.open_spool(args), reporter(as_json=args.json)
    source = config.open_source()
    with raising(), _exclusive(state_directory()) as state:
        setting = Setting(
            spool=spool,
            work=config.work_directory(args.work_dir),
            source=source,
            environment=inventory.environment(source),
            machine=inventory.machine(args.machine_name or settings.machine_name, source=source),
        )
        held = HeldJob(state / "job.json")
        serve(Agent(setting, settings, client, tell, held, offer_of(settings)), args.every, once=args.once)
    return 0


@contextmanager
def _exclusive(state: Path) -> Iterator[Path]:
    """The state directory, locked against other serving agents."""
    try:
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(state / "serve.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise PreparationError(f"Cannot write in {state}: {error.strerror}.") from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PreparationError(f"Another benchagent is already serving with {state} already.") from None
        yield state
    finally:
        os.close(descriptor)


def _every(value: str) -> float:
    try:
        return max(parse_duration(value), LEAST)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{value!r} is no time; expected {error}") from None
