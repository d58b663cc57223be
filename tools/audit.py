#!/usr/bin/env python3
"""Looks for known weaknesses of the packages in use. `make audit` calls it.

pip-audit queries PyPI, npm its registry. If a registry has no advisories, as some mirrors, the output is "not checked",
which is neither good nor bad news. The exit code is 1 only if there is a weakness.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PIP_AUDIT = [ROOT / ".venv" / "bin" / "pip-audit", "--format", "json", "--progress-spinner", "off", "--timeout", "20"]
NPM_AUDIT = ["frontend/npm", "audit", "--json"]


def of_pip(report: Any) -> list[str]:
    """The weaknesses in pip-audit's JSON, a line each.

    Raises KeyError or TypeError if the JSON is no report, and ValueError if pip-audit checked none of the packages,
    which its report does not distinguish from packages without weaknesses.
    """
    if not any("vulns" in package for package in report["dependencies"]):
        raise ValueError("no package was looked at")
    return [
        f"{package['name']} {package['version']}: {weakness['id']}, mended in {weakness['fix_versions']}"
        for package in report["dependencies"]
        for weakness in package.get("vulns", [])
    ]


def of_npm(report: Any) -> list[str]:
    """The weaknesses in npm's JSON, a line each. Raises KeyError, TypeError or AttributeError if it is no report."""
    return [
        f"{name}: {weakness['severity']}, {weakness['range']}" for name, weakness in report["vulnerabilities"].items()
    ]


def judged(output: str, read: Callable[[Any], list[str]]) -> list[str] | None:
    """The weaknesses in the output of a program; None if it is no report, so nothing was checked."""
    try:
        return read(json.loads(output))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def main() -> int:
    """Check Python and npm packages. Returns 1 if there is a weakness."""
    weak = False
    for name, command, read in (("Python packages", PIP_AUDIT, of_pip), ("npm packages", NPM_AUDIT, of_npm)):
        process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        weaknesses = judged(process.stdout, read)
        if weaknesses is None:
            print(f"audit: {name}: not checked, no source of advisories answers")
        else:
            print(f"audit: {name}: {len(weaknesses) or 'none'} with a known weakness")
            print("".join(f"    {line}\n" for line in weaknesses), end="")
            weak = weak or bool(weaknesses)
    return int(weak)


if __name__ == "__main__":
    sys.exit(main())
