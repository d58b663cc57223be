"""`benchagent run`: measures a plan, keeps its documents in the spool, and sends them where a server is named."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from benchagent import inventory
from benchagent.confirm import confirm
from benchagent.document import Frame, uuid7
from benchagent.errors import PointsFailed, Stopped
from benchagent.interrupts import held, raising
from benchagent.keeping import Keeper
from benchagent.plan import Plan
from benchagent.plan_files import placed, with_files
from benchagent.plan_reading import load
from benchagent.progress import Reporter, reporter
from benchagent.records import Record
from benchagent.runner import Runner, in_directory
from benchagent.tables import NAME
from benchagent.tools import Context
from benchagent.workdir import WorkDirectory

from . import options


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "run",
        help="measure what a plan asks for",
        description="Measure what PLAN asks for. The documents go to the spool, then to the server where one is named.",
    )
    parser.add_argument("plan", metavar="PLAN", type=Path, help="a TOML file; docs/agents.md explains it")
    parser.add_argument("--directory", metavar="DIR", type=Path, help="where directory targets of the plan are")
    options.add_work(parser)
    parser.add_argument(
        "--yes-wipe",
        metavar="ID",
        action="append",
        default=[],
        help="format this device of the plan without asking; its name in /dev/disk/by-id; may be repeated",
    )
    parser.add_argument("--machine-name", metavar="NAME", type=_name, help="what to call this machine")
    parser.add_argument("--visibility", choices=("private", "unlisted", "public"), help="who may see the runs")
    parser.add_argument(
        "--label", metavar="KEY=VALUE", type=_label, action="append", default=[], help="a label; may be repeated"
    )
    options.add_server(parser)
    options.add_spool(parser)
    options.add_json(parser, "print events as JSON lines")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Raises whatever stopped the measuring, after what was measured is in the spool."""
    plan = with_files(load(options.read_file(args.plan)), args.plan.parent)
    if args.directory is not None:
        plan = in_directory(plan, args.directory)
    client, spool, tell = options.open_client(args), options.open_spool(args), reporter(as_json=args.json)
    keeper = Keeper(spool, tell)
    with raising():
        source = inventory.Source()
        frame = _frame(args, plan, source)
        work = WorkDirectory(options.work_directory(args), plan.seed, plan.memory, source)
        runner = Runner(plan, work, tell, source, Context(seed=plan.seed, root=os.geteuid() == 0))
        keeper.reserve(plan)
        try:
            _measure(runner, plan, work, args.yes_wipe, tell)
        except Stopped:
            tell.event("stopped")
            raise
        finally:
            with held():
                keeper.keep(runner.records.values(), frame)
                tell.event("finished", **_tally(list(runner.records.values())))
        keeper.deliver(client)
    failed = sum(record.failed > 0 for record in runner.records.values())
    if failed:
        raise PointsFailed(failed, len(runner.records))
    return 0


def _measure(runner: Runner, plan: Plan, work: WorkDirectory, yes_wipe: list[str], tell: Reporter) -> None:
    with work.opened(lambda what: tell.event("cleared", what=what)):
        work.agreed = confirm(plan, yes_wipe, work.source)
        with placed(plan, work.path) as files:
            runner.measure(files)


def _tally(records: list[Record]) -> dict[str, int]:
    """How every point of the plan ended; `measured` ones have no failed round."""
    return {
        "measured": sum(bool(each.rounds) and not each.failed for each in records),
        "failed": sum(each.failed > 0 for each in records),
        "skipped": sum(each.skipped is not None for each in records),
        "missing": sum(not each.rounds and each.skipped is None for each in records),
    }


def _frame(args: argparse.Namespace, plan: Plan, source: inventory.Source) -> Frame:
    environment = inventory.environment(source)
    if plan.memory is not None:
        usable = environment["memory"]["usable"]
        environment["memory"]["usable"] = plan.memory if usable is None else min(usable, plan.memory)
    return Frame(
        plan=plan,
        campaign_id=uuid7(),
        machine=inventory.machine(args.machine_name, source=source),
        environment=environment,
        labels=dict(args.label),
        visibility=args.visibility,
    )


def _name(value: str) -> str:
    if not NAME.fullmatch(value):
        raise argparse.ArgumentTypeError("a machine's name has up to 64 letters, digits and the signs _ . + -")
    return value


def _label(value: str) -> tuple[str, str]:
    key, separator, text = value.partition("=")
    if not separator or not (0 < len(key) <= 200 and 0 < len(text) <= 200):
        raise argparse.ArgumentTypeError("a label is written KEY=VALUE, each up to 200 characters")
    return key, text
