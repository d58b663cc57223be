"""`benchagent mcp`: lets assistants read a server by the Model Context Protocol, over standard input and output."""

from __future__ import annotations

import argparse

from benchagent.client.mcp_server import mcp_server
from benchagent.errors import UsageError

from . import options, servers


def declare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Answer an assistant's questions about runs and comparisons of the server, by the Model Context "
        "Protocol over standard input and output. It only reads. Needs the package mcp."
    )
    options.add_server(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until standard input ends. Raises UsageError without a server or the package."""
    try:
        tools = mcp_server(servers.open_server(args))
    except ModuleNotFoundError:
        raise UsageError("This command needs the package mcp, from Python 3.10 on: pip install mcp.") from None
    tools.run()
    return 0
