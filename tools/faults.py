"""`make test-faults`: everything that breaks the program on purpose, part after part, and a table of what came out.

The parts are tests; each says in a property what it did. Later parts run also where one failed. What came out is
printed and written to var/faults.json.
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
FOUND = ROOT / "var" / "faults.json"


@dataclass(frozen=True)
class Part:
    """Tests that belong together; `settings` are variables that make more of it than the suite does."""

    name: str
    paths: tuple[str, ...]
    settings: tuple[str, ...] = ()


@dataclass(frozen=True)
class PartOutcome:
    """What came out of a part: seconds, counts of tests, and what they said they did."""

    part: str
    passed: int
    failed: int
    skipped: int
    seconds: float
    said: list[str]


# How much, unless the command line of make says otherwise: KILLS=5 and the like.
MUCH = {
    "BENCHDB_MUTATIONS": "100000",
    "BENCHDB_EXAMPLES": "100",
    "BENCHDB_KILLS": "100",
    "BENCHDB_STRIKES": "60",
    "BENCHDB_SEED": "",
}
PARTS = (
    Part("damaged outputs", ("tests/agents/formats/test_mutations.py",), ("BENCHDB_MUTATIONS", "BENCHDB_SEED")),
    Part("calls of the API", ("tests/api/test_fuzz.py",), ("BENCHDB_EXAMPLES",)),
    Part("histories of runs and permalinks", ("tests/api/trial_histories.py",), ("BENCHDB_EXAMPLES",)),
    Part(
        "services that are away, hang or are full",
        ("tests/api/test_outages.py", "tests/operations/test_silent_database.py", "tests/web/test_database_away.py"),
    ),
    Part(
        "kills of agent, server and worker",
        ("tests/faults/test_kills.py", "tests/faults/test_rounds.py"),
        ("BENCHDB_KILLS", "BENCHDB_SEED"),
    ),
    Part("kills while statistics are computed", ("tests/faults/test_computing.py", "tests/faults/trial_attempts.py")),
    Part("storm of twenty clients", ("tests/faults/trial_storm.py",), ("BENCHDB_STRIKES", "BENCHDB_SEED")),
    Part("full disks", ("tests/faults/trial_full_disk.py", "tests/agents/spool/test_full_disk.py")),
    Part("restarts in the middle of journeys", ("tests/browser/trial_restarts.py",)),
)


def run(part: Part) -> PartOutcome:
    """Run a part; what its tests print is shown as it comes."""
    report = FOUND.with_suffix(".xml")
    report.unlink(missing_ok=True)
    much = {name: os.environ.get(name.removeprefix("BENCHDB_")) or MUCH[name] for name in part.settings}
    command = [sys.executable, "-m", "pytest", "-q", "-o", "python_files=test_*.py trial_*.py"]
    command += ["-o", "junit_family=xunit1", f"--junitxml={report}"]  # which may hold what tests say of themselves
    begun = time.monotonic()
    code = subprocess.run([*command, *part.paths], cwd=ROOT, env={**os.environ, **much}, check=False).returncode
    seconds = time.monotonic() - begun
    if not report.exists():
        return PartOutcome(part.name, 0, 1, 0, seconds, [f"pytest ended with exit code {code}"])
    suite = ElementTree.parse(report).find("testsuite")  # nosec B314: pytest wrote it a moment ago
    assert suite is not None
    tests, skipped = int(suite.attrib["tests"]), int(suite.attrib["skipped"])
    failed = int(suite.attrib["failures"]) + int(suite.attrib["errors"])
    how_much = [f"{name.removeprefix('BENCHDB_')} {value}" for name, value in much.items() if value]
    said = [each.attrib["value"] for each in suite.iter("property") if each.attrib["name"] == "result"]
    return PartOutcome(part.name, tests - failed - skipped, failed, skipped, seconds, [*how_much, *said])


def table(outcomes: list[PartOutcome]) -> str:
    """For docs/faults.md."""
    lines = ["| part | tests | minutes | what was done |", "|---|---|---|---|"]
    for each in outcomes:
        counts = {"passed": each.passed, "failed": each.failed, "skipped": each.skipped}
        tests = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
        lines.append(f"| {each.part} | {tests} | {each.seconds / 60:.1f} | {'; '.join(each.said)} |")
    return "\n".join(lines)


def main() -> int:
    """Run all parts, or those with the word ONLY in their names. Returns 1 where one failed."""
    FOUND.parent.mkdir(exist_ok=True)
    outcomes = []
    for part in PARTS:
        if os.environ.get("ONLY", "") in part.name:
            print(f"\n{part.name}", flush=True)
            outcomes.append(run(part))
            FOUND.write_text(json.dumps([asdict(each) for each in outcomes], indent=1))
    FOUND.with_suffix(".xml").unlink(missing_ok=True)
    print(f"\n{table(outcomes)}\n\n{sum(each.seconds for each in outcomes) / 60:.0f} minutes; {FOUND}")
    return 1 if not outcomes or any(each.failed for each in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
