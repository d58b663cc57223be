"""Parses the command line. Each command is a module with `declare(parser)`, its arguments, and `run(args)`.

Only the module of the given command is loaded, so that an agent that measures stays small, and a list of commands
comes at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Collection, Sequence
from importlib import import_module

from benchagent import __version__

from .errors import AgentError, Stopped
from .progress import CONTROL

# What the list of commands says of each.
COMMANDS = {
    "detect": "print the facts of this machine and of the storage below a directory",
    "doctor": "check the prerequisites for measuring on this machine",
    "plan": "explain a plan",
    "run": "measure a plan",
    "gate": "measure two sides until their difference is decided",
    "parse": "read a tool's output and print its results",
    "show": "print the documents to be sent",
    "upload": "send the waiting documents of the spool",
    "compare": "compare runs of the server",
    "mcp": "let assistants read the server",
    "status": "list the documents in the spool",
    "clean": "clean up after a killed agent",
    "config": "check the config file and print its settings",
    "serve": "run the plans that are queued for this machine on the server",
    "service": "print systemd units that start the agent automatically",
}


def parser(loaded: Collection[str] = COMMANDS) -> argparse.ArgumentParser:
    """The command line with all commands; the `loaded` ones have their own arguments, which are in their modules."""
    whole = argparse.ArgumentParser(
        prog="benchagent",
        description="Measures file systems on this machine and sends the results to a BenchDB server.",
    )
    whole.add_argument("--version", action="version", version=f"benchagent {__version__}")
    subparsers = whole.add_subparsers(metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        command = subparsers.add_parser(name, help=summary)
        if name in loaded:
            module = import_module(f"benchagent.commands.{name}")
            module.declare(command)
            command.set_defaults(run=module.run)
    return whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code. docs/agents.md lists the codes."""
    given = sys.argv[1:] if arguments is None else arguments
    # The options before a command have no values, so the first other word is the command.
    args = parser([word for word in given if not word.startswith("-")][:1]).parse_args(given)
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
