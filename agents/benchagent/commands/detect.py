"""`benchagent detect`: what the agent finds out about this machine and about a directory."""

from __future__ import annotations

import argparse
import json

from benchagent.errors import UsageError
from benchagent.inventory import Facts, Source, environment, machine, target
from benchagent.inventory.text import environment_lines, machine_lines, target_lines

SCHEMA = "benchagent.detect/1"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "detect",
        help="print what is known of this machine and of the storage under a directory",
        description="Print what is known of this machine and of the storage under PATH. Nothing is changed or sent.",
    )
    parser.add_argument("path", metavar="PATH", nargs="?", default=".", help="a directory (default: the current one)")
    parser.add_argument("--json", action="store_true", help="the facts as in a result document")
    parser.add_argument("--root", metavar="DIR", default="/", help="read a recorded tree instead of this machine")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Raises UsageError where there is no such path."""
    source = Source(args.root)
    found = facts(args.path, source)
    if args.json:
        print(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        print("\n".join(text_lines(args.path, found)))
    return 0


def facts(path: str, source: Source) -> Facts:
    """`{schema, machine, environment, target, state_before}`; a recorded tree has no machine of its own (None)."""
    try:
        settings, state = target(path, source)
    except FileNotFoundError:
        raise UsageError(f"There is no {path}. Name an existing directory.") from None
    return {
        "schema": SCHEMA,
        "machine": machine(source=source) if source.live else None,
        "environment": environment(source),
        "target": settings,
        "state_before": state,
    }


def text_lines(path: str, found: Facts) -> list[str]:
    """The facts for people."""
    lines = list(machine_lines(found["machine"])) if found["machine"] else []
    lines += environment_lines(found["environment"])
    return [*lines, "", f"Storage under {path}", *target_lines(found["target"], found["state_before"])]
