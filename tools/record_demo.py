#!/usr/bin/env python3
"""Measures the plans in benchdb/demo/recorded/plans/, as root on an idle machine, for `manage.py demo`.

    sudo .venv/bin/python tools/record_demo.py [page-cache …]

A recording has the documents that the agent would upload, one a line. Its machine is named after the day, and its id is
made from this name. The kernel's command line and log are left out: they tell which machine it was, and what others did
on it. The highest priority keeps other programs from disturbing much; the documents say how busy these were.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECORDED = ROOT / "benchdb" / "demo" / "recorded"
# Runs a command with other contents of three files, which nobody else sees.
HIDING = """set -e; mount --bind "$1" /etc/machine-id; mount --bind /dev/null /proc/cmdline
mount --bind /dev/null /dev/kmsg; shift; exec nice -n -20 "$@" """


def record(name: str, day: str, folder: Path) -> None:
    """Measure a plan, and keep its documents. Raises CalledProcessError."""
    machine = f"recorded-vm-{day}"
    identity = folder / "machine-id"
    identity.write_text(hashlib.md5(machine.encode(), usedforsecurity=False).hexdigest())
    own = {"BENCHAGENT_SPOOL": str(folder / "spool"), "BENCHAGENT_STATE": str(folder), "BENCHAGENT_CONFIG": "/dev/null"}
    environment = {**os.environ, **own, "PYTHONPATH": str(ROOT / "agents")}
    agent = [sys.executable, "-m", "benchagent"]
    plan = ["run", str(RECORDED / "plans" / f"{name}.toml"), "--work-dir", str(folder / "images")]
    labels = ["--machine-name", machine, "--label", f"recorded={day}", "--visibility", "public"]
    hidden = ["unshare", "--mount", "sh", "-c", HIDING, "sh", str(identity)]
    subprocess.run([*hidden, *agent, *plan, *labels], env=environment, check=True)
    shown = subprocess.run([*agent, "show"], env=environment, check=True, capture_output=True, text=True).stdout
    documents = "".join(f"{without_place(line, str(folder))}\n" for line in shown.splitlines())
    (RECORDED / f"{name}.jsonl.xz").write_bytes(lzma.compress(documents.encode(), preset=9 | lzma.PRESET_EXTREME))


def without_place(line: str, place: str) -> str:
    """A document whose raw outputs do not name the folder of the images; mount's command line does."""
    document = json.loads(line)
    for artifact in document.get("artifacts", ()):
        artifact["data"] = artifact["data"].replace(f"{place}/", "")
        artifact["sha256"] = hashlib.sha256(artifact["data"].encode()).hexdigest()
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def main(names: Sequence[str]) -> int:
    """Record these plans, all by default."""
    day = f"{datetime.now(UTC):%Y-%m-%d}"
    for name in names or sorted(file.stem for file in (RECORDED / "plans").glob("*.toml")):
        with tempfile.TemporaryDirectory(dir=ROOT / "var") as folder:
            record(name, day, Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
