"""`benchagent upload`: sends the waiting documents of the spool."""

from __future__ import annotations

import argparse

from benchagent.errors import UsageError
from benchagent.progress import reporter
from benchagent.spool.campaigns import Campaigns
from benchagent.spool.delivering import deliver_all
from benchagent.spool.killed_agents import keep_killed
from benchagent.spool.store import REJECTED
from benchagent.spool.uploading import await_statistics
from benchagent.system.interrupts import raising

from . import options, servers


def declare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Send the waiting documents of the spool, and the results of a killed agent, and wait until the server has "
        "computed their statistics. A document that is sent twice is stored once."
    )
    parser.add_argument("--rejected", action="store_true", help="also send documents that the server refused before")
    options.add_server(parser)
    options.add_spool(parser)
    options.add_json(parser, "print events as JSON lines")


def run(args: argparse.Namespace) -> int:
    """Send the documents. Raises UsageError without a server, and the errors of `spool.uploading.upload`."""
    client = servers.open_client(args)
    if client is None:
        raise UsageError(f"There is no server. Give --server URL, or set {options.SERVER}.")
    spool, tell = options.open_spool(args), reporter(as_json=args.json)
    if args.rejected:
        for run_id in spool.ids(REJECTED):
            spool.reopen(run_id)
        Campaigns(spool.directory).reopen()
    with raising():
        keep_killed(spool, tell)
        await_statistics(client, deliver_all(spool, client, tell), tell)
    return 0
