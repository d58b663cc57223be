"""`benchagent clean`: undoes what a killed agent left."""

from __future__ import annotations

import argparse

from benchagent import config
from benchagent.progress import reporter
from benchagent.spool.killed_agents import keep_killed
from benchagent.spool.store import Spool
from benchagent.targets.work_directory import WorkDirectory

from . import options


def declare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Clean up after a killed agent: unmount, detach, restore, stop and remove everything that it left. "
        "Measured rounds are kept. The next run does this as well."
    )
    options.add_work(parser)
    options.add_spool(parser)
    options.add_json(parser, "print events as JSON lines")


def run(args: argparse.Namespace) -> int:
    """Undo and keep everything. Raises NotUndone if something stays, PreparationError if an agent is running there."""
    tell, undone = reporter(as_json=args.json), []

    def report(what: str) -> None:
        undone.append(what)
        tell.event("cleared", what=what)

    spool = options.spool_directory(args)
    if options.is_there(spool):
        keep_killed(Spool(spool), tell)
    work = WorkDirectory(config.work_directory(args.work_dir))
    if options.is_there(work.path):
        with work.opened(report):
            pass
    tell.event("cleaned", work_dir=str(work.path), undone=len(undone))
    return 0
