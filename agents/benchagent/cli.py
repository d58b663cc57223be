"""Parses the command line. Each command is a module with `add_parser(subparsers)` and `run(args)`.

Only the module of the given command is loaded, so that an agent that measures stays small.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from benchagent import __version__

from .errors import AgentError, Stopped
from .progress import CONTROL

COMMANDS = (
    "detect",
    "doctor",
    "plan",
    "run",
    "gate",
    "parse",
    "show",
    "upload",
    "compare",
    "mcp",
    "status",
    "clean",
    "config",
    "serve",
    "service",
)


def parser(commands: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """The command line with these commands; the whole one by default."""
    whole = argparse.ArgumentParser(
        prog="benchagent",
        description="Measures file systems on this machine and sends the results to a BenchDB server.",
    )
    whole.add_argument("--version", action="version", version=f"benchagent {__version__}")
    subparsers = whole.add_subparsers(metavar="COMMAND", required=True)
    for command in commands:
        import_module(f"benchagent.commands.{command}").add_parser(subparsers)
    return whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code. docs/agents.md lists the codes."""
    given = sys.argv[1:] if arguments is None else arguments
    named = [name for name in given[:1] if name in COMMANDS]
    args = parser(named or COMMANDS).parse_args(given)
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
