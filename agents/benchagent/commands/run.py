"""`benchagent run`: measures a plan, keeps its documents in the spool, and sends them if a server is named."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from benchagent import config, inventory
from benchagent.documents.shape import RunDocument
from benchagent.errors import PointsFailed, UsageError
from benchagent.measuring.execution import Execution, Setting
from benchagent.plan.model import Plan
from benchagent.planning.adaptation import planned
from benchagent.planning.continuation import continuation, continued_runs
from benchagent.planning.shipped import plan_argument
from benchagent.progress import reporter
from benchagent.spool.store import Spool
from benchagent.system.interrupts import raising

from . import options, servers


def declare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Measure PLAN. Documents are written to the spool, then sent to the server if one is configured."
    )
    parser.add_argument(
        "plan", metavar="PLAN", type=plan_argument, nargs="?", help="a TOML file, or the name of a shipped plan"
    )
    parser.add_argument(
        "--continue",
        dest="continued",
        metavar="RUN_ID",
        action="append",
        default=[],
        help="measure further rounds of this run, with the plan that is in the spool; may be repeated",
    )
    parser.add_argument(
        "--rounds", metavar="N", type=_rounds, help="further rounds for --continue (default: as many as there are)"
    )
    parser.add_argument("--directory", metavar="DIR", type=Path, help="directory for the plan's directory targets")
    options.add_work(parser)
    options.add_campaign(parser)
    options.add_server(parser)
    options.add_spool(parser)
    options.add_json(parser, "print events as JSON lines")


def run(args: argparse.Namespace) -> int:
    """Measure a plan. Raises the error that stopped the measurement, after the finished rounds are in the spool."""
    settings, source = config.load(), config.open_source()
    environment = inventory.environment(source)
    client, spool, tell = servers.open_client(args), options.open_spool(args), reporter(as_json=args.json)
    machine = inventory.machine(args.machine_name or settings.machine_name, source=source)
    plan, text, earlier = _plan(args, spool, machine, environment)
    with raising():
        setting = Setting(
            spool=spool,
            work=config.work_directory(args.work_dir),
            source=source,
            environment=environment,
            machine=machine,
            labels=dict(args.label),
            visibility=args.visibility,
            agreed=args.yes_wipe,
        )
        execution = Execution(plan, text, setting, client, tell, earlier)
        execution.measure()
        execution.deliver()
    failed = sum(record.failed > 0 for record in execution.records)
    if failed:
        raise PointsFailed(failed, len(execution.records))
    return 0


def _plan(
    args: argparse.Namespace, spool: Spool, machine: inventory.MachineIdentity, environment: inventory.Environment
) -> tuple[Plan, str, Mapping[str, RunDocument]]:
    """The plan, its text, and the documents that it continues by point. Raises UsageError for senseless options."""
    file = (options.read_file(args.plan), args.plan.parent) if args.plan is not None else None
    if args.continued:
        runs = continued_runs(spool, args.continued)
        further = continuation(spool, runs, args.rounds, machine, environment, args.directory, file)
        return further.plan, further.text, further.earlier
    if args.rounds is not None:
        raise UsageError("--rounds is for --continue; a plan has its own number of rounds.")
    if file is None:
        raise UsageError("Name a PLAN to measure, or a run to --continue.")
    return planned(*file, environment, args.directory), file[0], {}


def _rounds(value: str) -> int:
    if not value.isdecimal() or not 0 < int(value) <= 10_000:
        raise argparse.ArgumentTypeError("a number of rounds is from 1 to 10000")
    return int(value)
