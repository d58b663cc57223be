"""`benchagent gate`: measures two sides until their difference is decided, for continuous integration."""

from __future__ import annotations

import argparse
import os
import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchagent import config, inventory
from benchagent.client import Server
from benchagent.client.gate import GateTest
from benchagent.documents.labels import PLACE, SIDE
from benchagent.documents.results import merge
from benchagent.errors import (
    AgentError,
    GateFailed,
    GateUndecided,
    GateWorse,
    PlanError,
    RequestRefused,
    ServerSilent,
    Stopped,
    UsageError,
)
from benchagent.gate.looks import Looks
from benchagent.gate.measured_tests import SidePair, pairs_of
from benchagent.gate.outcome import FAILED, OUT_OF_BUDGET, WORSE, GateOutcome, outcome_of
from benchagent.gate.printed import junit_of, lines_of, markdown_of
from benchagent.measuring.execution import Execution, Setting
from benchagent.plan.model import Gate, Plan
from benchagent.planning.adaptation import planned
from benchagent.planning.shipped import plan_argument
from benchagent.progress import Reporter, one_line, reporter
from benchagent.system.interrupts import raising

from . import options, servers

SUMMARY = "GITHUB_STEP_SUMMARY"
NEEDED = ("upload", "read")
NOT_FOUND = 404
MOST_SEED = 2**31 - 1  # that any tool takes


def declare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Measure the two sides of PLAN in the same rounds until each test is worse, better or equivalent, "
        "or the budget is used up. The exit code says which."
    )
    parser.add_argument("plan", metavar="PLAN", type=plan_argument, help="a TOML file with two tables [sides.NAME]")
    parser.add_argument("--directory", metavar="DIR", type=Path, help="directory for the plan's directory targets")
    parser.add_argument("--junit", metavar="FILE", type=Path, help="write the verdicts as JUnit")
    parser.add_argument(
        "--markdown", metavar="FILE", type=Path, help=f"write the summary as Markdown; it is added to ${SUMMARY} too"
    )
    parser.add_argument("--allow-undecided", action="store_true", help="exit with 0 if the budget did not suffice")
    parser.add_argument("--share-private", action="store_true", help="share the figures of runs that are not public")
    options.add_campaign(parser)
    options.add_work(parser)
    options.add_server(parser)
    options.add_spool(parser)
    options.add_json(parser, "print events as JSON lines")


def run(args: argparse.Namespace) -> int:
    """Measure and judge. Raises GateWorse, GateFailed or GateUndecided after all results are in the spool."""
    settings, source = config.load(), config.open_source()
    environment = inventory.environment(source)
    plan, text = _plan(args, environment)
    server, client, spool = servers.open_server(args), servers.open_client(args), options.open_spool(args)
    _check_rights(server)
    tell = reporter(as_json=args.json)
    looks = Looks(plan, server, tell)
    setting = Setting(
        spool=spool,
        work=config.work_directory(args.work_dir),
        source=source,
        environment=environment,
        machine=inventory.machine(args.machine_name or settings.machine_name, source=source),
        labels=dict(args.label),
        visibility=args.visibility,
        agreed=args.yes_wipe,
    )
    with raising():
        execution = Execution(plan, text, setting, client, tell, judge=looks.decide)
        try:
            execution.measure()
        except Stopped:
            _report(_outcome(plan, looks, execution, stopped=True), args, tell)
            raise
        unsent = _undelivered(execution)
        outcome = _linked(plan, looks, execution, server, args, unsent)
        _report(outcome, args, tell)
    return _exit(outcome, args, unsent)


def _plan(args: argparse.Namespace, environment: inventory.Environment) -> tuple[Plan, str]:
    """The plan and its text. Raises PlanError for one without sides."""
    text = options.read_file(args.plan)
    plan = planned(text, args.plan.parent, environment, args.directory)
    if not plan.sides:
        raise PlanError("sides; expected two tables, [sides.OLD] and [sides.NEW]; the first one is the baseline")
    # The order of each pair of rounds is drawn from it; of equal seeds, all gates would share one order.
    return replace(plan, seed=plan.seed or secrets.randbelow(MOST_SEED) + 1), text


def _check_rights(server: Server) -> None:
    """Check the server before hours of measuring. Raises UsageError, RequestRefused and ServerSilent."""
    lacking = [scope for scope in NEEDED if scope not in server.scopes()]
    if lacking:
        raise UsageError(f"The token lacks the scope {' and '.join(lacking)}. A gate needs {' and '.join(NEEDED)}.")
    try:
        server.judge([GateTest("", "", "rate", [1.0, 1.0], [1.0, 1.0])], [2], 1, Gate.margin)
    except RequestRefused as error:
        if error.status == NOT_FOUND:
            raise UsageError("The server is too old for gates; update it.") from None
        raise


def _undelivered(execution: Execution) -> AgentError | None:
    """Send the results; the error if some are not stored, so that the verdicts are told anyway."""
    try:
        execution.deliver()
    except AgentError as error:
        return error
    return None


def _linked(
    plan: Plan, looks: Looks, execution: Execution, server: Server, args: argparse.Namespace, unsent: AgentError | None
) -> GateOutcome:
    """The outcome with the address of its table. Raises ServerSilent if the last rounds could not be judged."""
    looks.finish(execution.records)
    outcome = _outcome(plan, looks, execution)
    if unsent is not None:
        return replace(outcome, remarks=[str(unsent)])
    try:
        link, remarks = shared(server, plan, pairs_of(plan, execution.records), share_private=args.share_private)
    except (RequestRefused, ServerSilent) as error:
        link, remarks = None, [f"There is no permalink. {error}"]
    return replace(outcome, link=link, remarks=remarks)


def _outcome(plan: Plan, looks: Looks, execution: Execution, *, stopped: bool = False) -> GateOutcome:
    sides = plan.sides[0].name, plan.sides[1].name
    return outcome_of(plan.name, sides, looks, pairs_of(plan, execution.records), stopped=stopped)


def _report(outcome: GateOutcome, args: argparse.Namespace, tell: Reporter) -> None:
    """Print the outcome, and write the files that the options name. Raises UsageError if one cannot be written."""
    tell.event("judged", outcome=outcome.state, reason=outcome.summary, url=outcome.link)
    if not args.json:
        print("\n".join(map(one_line, lines_of(outcome))))
    markdown = markdown_of(outcome)
    _write(args.markdown, markdown.encode(), "wb")
    _write(args.junit, junit_of(outcome), "wb")
    summary = os.environ.get(SUMMARY)
    _write(Path(summary) if summary else None, markdown.encode(), "ab")


def _write(path: Path | None, data: bytes, mode: str) -> None:
    if path is None:
        return
    try:
        with path.open(mode) as file:
            file.write(data)
    except OSError as error:
        raise UsageError(f"Cannot write {path}: {error.strerror}.") from None


def _exit(outcome: GateOutcome, args: argparse.Namespace, unsent: AgentError | None) -> int:
    if outcome.state == WORSE:
        raise GateWorse(outcome.summary)
    if outcome.state == FAILED:
        raise GateFailed(outcome.summary)
    if outcome.state == OUT_OF_BUDGET and not args.allow_undecided:
        raise GateUndecided(outcome.summary)
    if unsent is not None:
        raise unsent
    return 0


NOT_PUBLIC = 409


def shared(
    server: Server, plan: Plan, pairs: Sequence[SidePair], *, share_private: bool
) -> tuple[str | None, list[str]]:
    """The address of the permalink, or of the page if the runs are not public; None without a run on both sides.

    The second part are remarks for people. Waits until the server has computed the runs.
    """
    stored = [record for pair in pairs for record in pair.records if len(record.rounds)]
    if not all(any(len(record.rounds) for record in side) for side in zip(*(pair.records for pair in pairs))):
        return None, []
    for record in stored:
        server.wait_for(record.run_id)
    runs = [record.run_id for record in stored]
    margin = (plan.gate or Gate()).margin
    table = server.compare(
        *runs,
        rows=f"label:{SIDE}",
        split=",".join(_split(pairs)) or None,
        baseline=plan.sides[0].name,
        margin=str(margin),
        correction="holm",
    )
    try:
        return server.share(table, share_private=share_private), []
    except RequestRefused as error:
        if error.status != NOT_PUBLIC:
            raise
        return table.address, ["The runs are not public, so the link is for their owner; --share-private shares it."]


def _split(pairs: Sequence[SidePair]) -> list[str]:
    """Dimensions that keep unlike results apart: each would be chosen once otherwise, and leave the others out."""
    records = [record for pair in pairs for record in pair.records]
    results = [result for record in records for result in merge(list(record.rounds), whole=False)]
    sizes = [
        name
        for name in ("file_size", "record_size", "threads")
        if len({getattr(result, name) for result in results}) > 1
    ]
    tools = {record.point.workload.tool for record in records}
    return [f"label:{PLACE}"] * (len(pairs) > 1) + ["tool"] * (len(tools) > 1) + sizes
