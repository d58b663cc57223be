"""`benchagent config`: checks the config file and prints its settings and whether its declarations fit the machine."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from benchagent.config import Config, load
from benchagent.inventory import Environment, Source, environment
from benchagent.inventory.fact_text import aligned, contradictions

SCHEMA = "benchagent.config/1"


def declare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = "Check the config file, print its settings, and compare the declared facts with this machine."
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    check = actions.add_parser("check", help="check the config file; exit code 12 if it has faults")
    check.add_argument("file", metavar="FILE", nargs="?", type=Path, help="default: the agent's config file")
    check.add_argument("--json", action="store_true", help="print the settings as JSON")


def run(args: argparse.Namespace) -> int:
    """Check and print the config file. Raises ConfigError if it is invalid."""
    config = load(args.file)
    facts = environment(Source(declared=config.declared))
    if args.json:
        print(json.dumps({"schema": SCHEMA, **settings(config), **_mismatches(facts)}, indent=2))
    else:
        print("\n".join([*lines(config), *contradictions(facts)]))
    return 0


def settings(config: Config) -> dict[str, object]:
    """The settings without the declared facts, which `benchagent detect` prints beside the detected ones."""
    return {
        "file": str(config.path) if config.path else None,
        "server": config.server,
        "token_file": str(config.token_file) if config.token_file else None,
        "signing_key": str(config.signing_key) if config.signing_key else None,
        "machine_name": config.machine_name,
        "work_dir": str(config.work_dir) if config.work_dir else None,
        "targets": {
            "directories": list(config.directories),
            "devices": list(config.devices),
            "wipe": list(config.wipe),
            "images": config.images,
        },
        "declared": {kind: len(declarations) for kind, declarations in config.declared.by_kind.items()},
    }


def lines(config: Config) -> Iterator[str]:
    """The settings as lines for people."""
    yield from aligned("File", [str(config.path or "none: nothing is set")])
    yield from aligned("Server", [config.server or "none"])
    yield from aligned("Token file", [str(config.token_file or "none")])
    yield from aligned("Signing key", [str(config.signing_key or "none: documents are not signed")])
    yield from aligned("Machine name", [config.machine_name or "made from the processor and the machine's id"])
    yield from aligned("Work directory", [str(config.work_dir or "work/ in the agent's state directory")])
    devices = [
        f"{device} (and destroy what is on it)" if device in config.wipe else device for device in config.devices
    ]
    allowed = [*config.directories, *devices, *(["images in the work directory"] if config.images else [])]
    yield from aligned("Scheduled work", allowed or ["may touch nothing"])
    by_kind = config.declared.by_kind
    declared = [f"{kind.replace('_', ' ')}: {len(declarations)}" for kind, declarations in by_kind.items()]
    yield from aligned("Declared", declared or ["nothing"])


def _mismatches(facts: Environment) -> dict[str, object]:
    unmatched = facts["extra"].get("declared_of_nothing", [])
    return {"contradictions": facts.get("contradictions", []), "declared_of_nothing": unmatched}
