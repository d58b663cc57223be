#!/usr/bin/env python3
"""Writes the files of a release: the agent file, both lists of packages, and SHA256SUMS. `make release` calls it.

docs/releasing.md describes the other steps. Refused if the front end has another version than server and
agent, or if CHANGELOG.md has no section for the version.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from pathlib import Path

import django

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "agents")]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdb.settings")
django.setup()

import benchdb  # noqa: E402
from benchdb.web.agent.file import AGENTS, archive  # noqa: E402
from tools import sbom  # noqa: E402


def faults(changes: str) -> list[str]:
    """Why this commit is not a release, given the text of CHANGELOG.md."""
    frontend = json.loads((ROOT / "frontend" / "package.json").read_text())["version"]
    found = []
    if frontend != benchdb.__version__:
        found.append(f"versions differ: server and agent {benchdb.__version__}, front end {frontend}")
    if f"\n## {benchdb.__version__} " not in changes:
        found.append(f"CHANGELOG.md has no section for {benchdb.__version__}")
    return found


def write(directory: Path) -> None:
    """Write the files of the release into a directory."""
    sbom.write(directory)
    (directory / f"benchagent-{benchdb.__version__}.pyz").write_bytes(archive(AGENTS))
    files = sorted(path for path in directory.iterdir() if path.suffix in (".json", ".pyz"))
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (directory / "SHA256SUMS").write_text(sums)
    print(f"release: {directory}\n{sums}", end="")


def main() -> int:
    """Check and write. Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "var" / "release")
    directory = parser.parse_args().out
    if found := faults((ROOT / "CHANGELOG.md").read_text()):
        print("\n".join(f"release: {fault}" for fault in found), file=sys.stderr)
        return 1
    write(directory)
    return 0


if __name__ == "__main__":
    sys.exit(main())
