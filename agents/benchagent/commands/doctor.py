"""`benchagent doctor`: lists the missing prerequisites of this machine, and the packages that provide them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from benchagent import config
from benchagent.diagnosis import DiagnosisFinding, FindingState
from benchagent.diagnosis.finding import lacking
from benchagent.diagnosis.machine import machine
from benchagent.diagnosis.programs import programs
from benchagent.diagnosis.server import server
from benchagent.errors import ConfigError, UsageError
from benchagent.progress import one_line
from benchagent.server.client import Client

from . import options, servers

SCHEMA = "benchagent.doctor/2"
COMPLETE, INCOMPLETE = 0, 1  # exit codes


def declare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Check the prerequisites for measuring on this machine. Exit code 0: all are there, 1: some are "
        "missing. `benchagent plan check PLAN` checks those of one plan."
    )
    options.add_work(parser)
    options.add_server(parser)
    options.add_json(parser, "print the findings as JSON")


def run(args: argparse.Namespace) -> int:
    findings = list(examine(args))
    missing = sum(finding.state is FindingState.MISSING for finding in findings)
    if args.json:
        print(json.dumps({"schema": SCHEMA, "findings": [_as_dict(finding) for finding in findings]}, indent=2))
    else:
        for finding in findings:
            print(_line(finding))
        print(f"\n{missing} of {len(findings)} are missing." if missing else "\nAll prerequisites are there.")
    return INCOMPLETE if missing else COMPLETE


def examine(args: argparse.Namespace) -> Iterator[DiagnosisFinding]:
    """All prerequisites that some plan may have, present or missing."""
    yield from machine(config.work_directory(args.work_dir))
    yield from programs()
    client: Client | None = None
    try:
        client = servers.open_client(args)
    except (UsageError, ConfigError) as error:  # faults of the config file have a finding of their own
        yield lacking("token", "uploads", str(error))
    yield from server(client)


def _as_dict(finding: DiagnosisFinding) -> dict[str, object]:
    return {
        "what": finding.what,
        "purpose": finding.purpose,
        "state": finding.state.value,
        "says": finding.detail,
        "packages": dict(finding.packages),
    }


def _line(finding: DiagnosisFinding) -> str:
    return one_line(f"{finding.state.value:<9}{finding.what:<13} {finding.purpose:<28} {finding.remedy}")
