#!/usr/bin/env python3
"""Asks whether a package that we use has a known weakness. `make audit` calls it.

pip-audit asks PyPI, npm its registry. Where one has no advisories, as behind a mirror without them, that is said as
"not checked", which is neither good nor bad news. It ends with 1 for a weakness only.
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


def of_pip(said: Any) -> list[str]:
    """The weaknesses in pip-audit's JSON, a line each. Raises KeyError or TypeError where it is no report.

    ValueError where it knew none of the packages, which it reports as none with a weakness.
    """
    if not any("vulns" in package for package in said["dependencies"]):
        raise ValueError("no package was looked at")
    return [
        f"{package['name']} {package['version']}: {weakness['id']}, mended in {weakness['fix_versions']}"
        for package in said["dependencies"]
        for weakness in package.get("vulns", [])
    ]


def of_npm(said: Any) -> list[str]:
    """The same of npm's."""
    return [f"{name}: {found['severity']}, {found['range']}" for name, found in said["vulnerabilities"].items()]


def judged(output: str, read: Callable[[Any], list[str]]) -> list[str] | None:
    """The weaknesses in what a program printed; None where it is no report, so nothing was checked."""
    try:
        return read(json.loads(output))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def main() -> int:
    """Ask both."""
    weak = False
    for name, command, read in (("Python packages", PIP_AUDIT, of_pip), ("npm packages", NPM_AUDIT, of_npm)):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        found = judged(done.stdout, read)
        if found is None:
            print(f"audit: {name}: not checked, no source of advisories answers")
        else:
            print(f"audit: {name}: {len(found) or 'none'} with a known weakness")
            print("".join(f"    {line}\n" for line in found), end="")
            weak = weak or bool(found)
    return int(weak)


if __name__ == "__main__":
    sys.exit(main())
