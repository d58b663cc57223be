"""`benchagent show`: prints documents exactly as they are sent."""

from __future__ import annotations

import argparse
import sys

from benchagent.spool.campaigns import Campaigns
from benchagent.spool.store import PENDING

from . import options


def declare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Print a document byte for byte as it is sent; without RUN_ID all waiting documents, one per line."
    )
    parser.add_argument("run_id", metavar="RUN_ID", nargs="?", help="a run's id or a unique beginning of it")
    options.add_spool(parser)


def run(args: argparse.Namespace) -> int:
    """Print documents. Raises UnknownRun unless exactly one run's id begins with RUN_ID."""
    spool = options.open_spool(args)
    chosen = [spool.find(args.run_id)] if args.run_id else [(PENDING, run_id) for run_id in spool.ids(PENDING)]
    for state, run_id in chosen:
        sys.stdout.buffer.write(spool.read(state, run_id) + b"\n")
    for document in () if args.run_id else Campaigns(spool.directory).documents():
        sys.stdout.buffer.write(document + b"\n")
    sys.stdout.buffer.flush()
    return 0
