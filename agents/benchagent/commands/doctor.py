"""`benchagent doctor`: what this machine lacks for measuring, and which Debian package brings it."""

from __future__ import annotations

import argparse
import json
import os
from typing import NamedTuple

from benchagent.filesystems import FILE_SYSTEMS, find_program, known_to_kernel
from benchagent.tools import TOOLS

SCHEMA = "benchagent.doctor/1"
COMPLETE, INCOMPLETE = 0, 1  # exit codes


class Finding(NamedTuple):
    """One thing that measuring wants. `found` says where it is, None where it is missing; then `remedy` helps."""

    what: str
    purpose: str
    found: str | None
    remedy: str


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "doctor",
        help="say what this machine lacks for measuring, and what brings it",
        description="Say what this machine lacks for measuring. Exit code 0: nothing, 1: something.",
    )
    parser.add_argument("--json", action="store_true", help="the findings for programs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    findings = examine()
    missing = [finding for finding in findings if finding.found is None]
    if args.json:
        print(json.dumps({"schema": SCHEMA, "findings": [finding._asdict() for finding in findings]}, indent=2))
    else:
        for finding in findings:
            print(_line(finding))
        print(f"\n{len(missing)} of {len(findings)} are missing." if missing else "\nNothing is missing.")
    return INCOMPLETE if missing else COMPLETE


def examine() -> list[Finding]:
    """Everything that some plan may want of the machine, present or not."""
    root = "user id 0" if os.geteuid() == 0 else None
    found = [Finding("root", "format, mount and empty caches", root, "run it with sudo, or measure a directory only")]
    found += [Finding(tool.program, "workloads", tool.find(), tool.source) for tool in TOOLS.values()]
    found.append(Finding("cc", "build fsload", find_program("cc"), "Debian package: gcc"))
    found.append(Finding("losetup", "image files", find_program("losetup"), "Debian package: mount"))
    for file_system in FILE_SYSTEMS.values():
        remedy = f"Debian package: {file_system.package}"
        found.append(Finding(file_system.program, f"{file_system.type} targets", file_system.find(), remedy))
        known = "built in, loaded or a module" if known_to_kernel(file_system.type) else None
        found.append(
            Finding(f"{file_system.type} in the kernel", f"{file_system.type} targets", known, "another kernel")
        )
    return found


def _line(finding: Finding) -> str:
    state = "ok" if finding.found is not None else "missing"
    return f"{state:<8} {finding.what:<20} {finding.purpose:<32} {finding.found or finding.remedy}"
