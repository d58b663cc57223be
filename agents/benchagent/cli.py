"""Parses the command line. Each command is a module with `add_parser(subparsers)` and `run(args)`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from benchagent import __version__
from benchagent.commands import (
    clean,
    compare,
    config,
    detect,
    doctor,
    gate,
    mcp,
    parse,
    plan,
    run,
    serve,
    service,
    show,
    status,
    upload,
)

from .errors import AgentError, Stopped
from .progress import CONTROL

COMMANDS = (detect, doctor, plan, run, gate, parse, show, upload, compare, mcp, status, clean, config, serve, service)


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    whole = argparse.ArgumentParser(
        prog="benchagent",
        description="Measures file systems on this machine and sends the results to a BenchDB server.",
    )
    whole.add_argument("--version", action="version", version=f"benchagent {__version__}")
    subparsers = whole.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_parser(subparsers)
    return whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code. docs/agents.md lists the codes."""
    args = parser().parse_args(arguments)
    try:
        code: int = args.run(args)
        sys.stdout.flush()
    except AgentError as error:
        _complain(error)
        return error.exit_code
    except Stopped as error:
        _complain(error)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of the output has closed it. Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return code


def _complain(error: BaseException) -> None:
    """Print an error. Its text may come from a server or a tool, so control characters are replaced."""
    print(f"benchagent: {CONTROL.sub('?', str(error))}", file=sys.stderr)
