"""`benchagent compare`: prints the comparison of runs that the server computes."""

from __future__ import annotations

import argparse
import re
from dataclasses import asdict

from benchagent.client import Table
from benchagent.client.printed import lines_of
from benchagent.errors import UsageError
from benchagent.progress import json_text, one_line

from . import options, servers

ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
QUERY = ("rows", "columns", "split", "baseline", "metric", "test", "file_size", "record_size")


def declare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = "Print the table of a comparison with its verdicts. Public runs need no token."
    parser.add_argument(
        "runs", metavar="RUN", nargs="+", help="ids or addresses of runs; or one address of a permalink (…/c/…)"
    )
    for name in QUERY:
        parser.add_argument(
            f"--{name.replace('_', '-')}", metavar="VALUE", help=f"{name} of the comparison (docs/comparisons.md)"
        )
    options.add_server(parser)
    options.add_json(parser, "print the cells as JSON, in base units")


def run(args: argparse.Namespace) -> int:
    """Print the table. Raises UsageError, RequestRefused and ServerSilent."""
    table = _table(args)
    print(json_text(asdict(table), indent=2) if args.json else "\n".join(map(one_line, lines_of(table))))
    return 0


def _table(args: argparse.Namespace) -> Table:
    server = servers.open_server(args)
    if len(args.runs) == 1 and "/c/" in args.runs[0]:
        return server.table(args.runs[0])
    return server.compare(*map(_run_id, args.runs), **{name: getattr(args, name) for name in QUERY})


def _run_id(text: str) -> str:
    """The id in an id or address. Raises UsageError if there is none, or more than one."""
    found: list[str] = ID.findall(text)
    if len(found) != 1:
        raise UsageError(f"{text!r} is neither the id nor the address of one run.")
    return found[0].lower()
