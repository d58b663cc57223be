"""Runs all tests that break the program on purpose, part by part, and prints a table. `make test-faults` calls it.

Each test records its actions in a property. Later parts run even if one fails. The outcomes are printed and written to
var/faults.json.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
OUTCOMES = ROOT / "var" / "faults.json"


@dataclass(frozen=True)
class Part:
    """Tests that belong together. With the variables `settings`, they run longer than in the suite."""

    name: str
    paths: tuple[str, ...]
    settings: tuple[str, ...] = ()


@dataclass(frozen=True)
class PartOutcome:
    """The outcome of a part: counts of tests, the time in seconds, and the actions that the tests recorded."""

    part: str
    passed: int
    failed: int
    skipped: int
    seconds: float
    actions: list[str]


# Defaults of the variables; the command line of make can set others, such as KILLS=5.
DEFAULT_SIZES = {
    "BENCHDB_MUTATIONS": "100000",
    "BENCHDB_EXAMPLES": "100",
    "BENCHDB_KILLS": "100",
    "BENCHDB_STRIKES": "60",
    "BENCHDB_SWAPS": "60",
    "BENCHDB_FILLS": "10",
    "BENCHDB_SEED": "",
}
PARTS = (
    Part("damaged outputs", ("tests/agents/formats/test_mutations.py",), ("BENCHDB_MUTATIONS", "BENCHDB_SEED")),
    Part("calls of the API", ("tests/api/test_fuzz.py",), ("BENCHDB_EXAMPLES",)),
    Part("histories of runs and permalinks", ("tests/api/trial_histories.py",), ("BENCHDB_EXAMPLES",)),
    Part(
        "services that are away, hang or are full",
        (
            "tests/api/test_outages.py",
            "tests/operations/test_silent_database.py",
            "tests/web/test_database_away.py",
            "tests/system/test_stopped_database.py",
            "tests/embedded/services/test_valkey.py",
        ),
    ),
    Part(
        "kills of agent, server and worker",
        ("tests/faults/test_kills.py", "tests/faults/test_rounds.py"),
        ("BENCHDB_KILLS", "BENCHDB_SEED"),
    ),
    Part("kills while statistics are computed", ("tests/faults/test_computing.py", "tests/faults/trial_attempts.py")),
    Part("storm of twenty clients", ("tests/faults/trial_storm.py",), ("BENCHDB_STRIKES", "BENCHDB_SEED")),
    Part(
        "full disks",
        ("tests/faults/trial_full_disk.py", "tests/agents/spool/test_full_disk.py"),
        ("BENCHDB_FILLS",),
    ),
    Part(
        "local user against an agent of root",
        ("tests/faults/test_stranger.py", "tests/agents/measuring/test_hostile_directory.py"),
        ("BENCHDB_SWAPS",),
    ),
    Part("raw output in object storage", ("tests/runs/store/trial_object_storage.py",)),
    Part("two releases at once", ("tests/releases/trial_two_releases.py",)),
    Part("restarts in the middle of journeys", ("tests/browser/trial_restarts.py",)),
)


def run(part: Part) -> PartOutcome:
    """Run a part. The output of its tests is shown at once."""
    report = OUTCOMES.with_suffix(".xml")
    report.unlink(missing_ok=True)
    sizes = {name: os.environ.get(name.removeprefix("BENCHDB_")) or DEFAULT_SIZES[name] for name in part.settings}
    command = [sys.executable, "-m", "pytest", "-q", "-o", "python_files=test_*.py trial_*.py"]
    command += ["-o", "junit_family=xunit1", f"--junitxml={report}"]  # the format with properties of tests
    begun = time.monotonic()
    code = subprocess.run([*command, *part.paths], cwd=ROOT, env={**os.environ, **sizes}, check=False).returncode
    seconds = time.monotonic() - begun
    if not report.exists():
        return PartOutcome(part.name, 0, 1, 0, seconds, [f"pytest ended with exit code {code}"])
    suite = ElementTree.parse(report).find("testsuite")  # noqa: S314  pytest wrote it a moment ago
    assert suite is not None
    tests, skipped = int(suite.attrib["tests"]), int(suite.attrib["skipped"])
    failed = int(suite.attrib["failures"]) + int(suite.attrib["errors"])
    size_texts = [f"{name.removeprefix('BENCHDB_')} {value}" for name, value in sizes.items() if value]
    actions = [item.attrib["value"] for item in suite.iter("property") if item.attrib["name"] == "result"]
    return PartOutcome(part.name, tests - failed - skipped, failed, skipped, seconds, [*size_texts, *actions])


def table(outcomes: list[PartOutcome]) -> str:
    """The table of docs/faults.md."""
    lines = ["| part | tests | minutes | what was done |", "|---|---|---|---|"]
    for outcome in outcomes:
        counts = {"passed": outcome.passed, "failed": outcome.failed, "skipped": outcome.skipped}
        tests = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
        lines.append(f"| {outcome.part} | {tests} | {outcome.seconds / 60:.1f} | {'; '.join(outcome.actions)} |")
    return "\n".join(lines)


def main() -> int:
    """Run all parts, or those with the text of ONLY in their names. Returns 1 if one failed."""
    OUTCOMES.parent.mkdir(exist_ok=True)
    outcomes = []
    for part in PARTS:
        if os.environ.get("ONLY", "") in part.name:
            print(f"\n{part.name}", flush=True)
            outcomes.append(run(part))
            OUTCOMES.write_text(json.dumps([asdict(outcome) for outcome in outcomes], indent=1))
    OUTCOMES.with_suffix(".xml").unlink(missing_ok=True)
    print(f"\n{table(outcomes)}\n\n{sum(outcome.seconds for outcome in outcomes) / 60:.0f} minutes; {OUTCOMES}")
    return 1 if not outcomes or any(outcome.failed for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
