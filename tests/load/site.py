"""`make load`: a site as its operator starts it, with readers, agents and people for ten minutes (docs/load.md)."""

import argparse
import csv
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import psutil

from benchdb.embedded.config import Paths
from benchdb.embedded.supervisor.lock import holder
from tests.load.needed import Needed
from tests.load.stages import largest_requests, rates
from tests.load.stock import Site, fill
from tests.load.throughput import Level
from tests.load.watching import Watch, metrics
from tests.system.server import Server, running

LOCUST = ".venv/load/bin/locust"
SETTLED_SECONDS = 120
AGENTS, PEOPLE = 5, 2
CHORES_AFTER = 5  # a fifth of the time
ERROR = re.compile(r"\b(ERROR|CRITICAL|Traceback)\b")
PERCENTILES = {"p50": "50%", "p95": "95%", "p99": "99%", "longest": "100%"}


@dataclass(frozen=True)
class Kind:
    """Requests of one kind, with times in milliseconds."""

    name: str
    requests: int
    errors: int
    per_second: float
    p50: float
    p95: float
    p99: float
    longest: float


def visit(
    server: Server, site: Site, folder: Path, minutes: float, readers: int
) -> tuple[list[Kind], list[str], float]:
    """Run Locust. Returns the kinds of requests, the errors, and the number of processors used by Locust."""
    site.write(folder / "site.json")
    users = readers + AGENTS + PEOPLE
    command = [
        *(LOCUST, "-f", "tests/load/visitors.py", "--headless", "--host", server.url.rstrip("/")),
        *("--users", str(users), "--spawn-rate", "5", "--run-time", f"{round(60 * minutes)}s", "--stop-timeout", "60"),
        *("--csv", str(folder / "figures"), "--only-summary", "--loglevel", "WARNING", "--exit-code-on-error", "0"),
    ]
    environment = {**os.environ, "LOAD_SITE": str(folder / "site.json"), "PYTHONPATH": ".:agents"}
    started, before = time.monotonic(), psutil.Process().cpu_times()
    done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    after = psutil.Process().cpu_times()
    took = after.children_user + after.children_system - before.children_user - before.children_system
    wrong = [line for line in done.stderr.splitlines() if line.strip()] if done.returncode else []
    for row in _rows(folder / "figures_failures.csv"):
        wrong.append(f"{row['Occurrences']} × {row['Method']} {row['Name']}: {row['Error'][:400]}")
    for row in _rows(folder / "figures_exceptions.csv"):
        wrong.append(f"{row['Count']} × {row['Message']}: {row['Traceback'][-400:]}")
    kinds = [_kind(row) for row in _rows(folder / "figures_stats.csv")]
    return kinds, wrong, took / (time.monotonic() - started)


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def _kind(row: dict[str, str]) -> Kind:
    times = {name: float(row[column]) for name, column in PERCENTILES.items()}
    counted = int(row["Request Count"]), int(row["Failure Count"]), float(row["Requests/s"])
    return Kind(row["Name"], *counted, **times)


@contextmanager
def chores(server: Server, folder: Path, seconds: float) -> Iterator[list[str]]:
    """After a delay, make a backup and move raw output to the archive, as an operator's timer does. Yields errors."""
    wrong: list[str] = []

    def do() -> None:
        try:
            server.manage("backup", str(folder / "backups"))
            server.manage("archive", "--older-than", "0")
        except AssertionError as error:
            wrong.append(str(error)[-400:])

    timer = threading.Timer(seconds, do)
    timer.start()
    try:
        yield wrong
    finally:
        timer.join()


def settled(server: Server) -> list[str]:
    """Wait until everything is computed. Returns what is not, and the errors in the logs."""
    end = time.monotonic() + SETTLED_SECONDS
    while True:
        values = metrics(server.url)
        left = {
            name.removeprefix("benchdb_runs "): int(n) for name, n in values.items() if name.startswith("benchdb_runs ")
        }
        ready = left.pop("ready", 0)
        left["messages"] = int(values["benchdb_queue_messages"])
        left = {name: number for name, number in left.items() if number}
        if not left or time.monotonic() > end:
            break
        time.sleep(1)
    wrong = [f"{ready} runs are ready, and still: {left}"] if left else []
    for log in sorted(Paths(server.var).log.glob("*.log")):
        wrong += [f"{log.name}: {line[:300]}" for line in log.read_text().splitlines() if ERROR.search(line)][:5]
    return wrong


def tell(kinds: list[Kind], watch: Watch, locust: float) -> list[str]:
    """Print the tables. Returns the parts whose memory grows."""
    print(f"\n{'':28} {'requests':>8} {'errors':>6} {'a second':>8} {'p50 ms':>7} {'p95':>7} {'p99':>7} {'longest':>7}")
    for kind in kinds:
        counted = f"{kind.requests:8} {kind.errors:6} {kind.per_second:8.2f}"
        print(f"{kind.name:28} {counted} {kind.p50:7.0f} {kind.p95:7.0f} {kind.p99:7.0f} {kind.longest:7.0f}")
    columns = f"{'first':>8} {'middle':>8} {'last':>8} {'rise':>8} {'processes':>9} {'processors':>10}"
    print(f"\n{'MiB of its own':28} {columns}")
    growths = watch.growths()
    for growth in growths:
        figures = f"{growth.first:8.1f} {growth.middle:8.1f} {growth.last:8.1f} {growth.rise:+8.2f}"
        note = "" if growth.flat or not watch.judged else "  GROWS"
        print(f"{growth.part:28} {figures} {growth.processes:9} {growth.cores:10.2f}{note}")
    print(f"{'Locust':28} {'':35} {'':9} {locust:10.2f}")
    print(f"\nlongest queue: {max(watch.queue, default=0)} messages")
    if not watch.judged:
        print("too short to say something about memory")
        return []
    return [f"the memory of {growth.part} rose by {growth.rise:.1f} MiB" for growth in growths if not growth.flat]


@dataclass
class Measured:
    """The figures of all stages, and what was wrong."""

    kinds: list[Kind] = field(default_factory=list)
    rates: list[Level] = field(default_factory=list)
    largest: list[Needed] = field(default_factory=list)
    visits: dict[str, Any] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


def receive_visitors(server: Server, site: Site, folder: Path, supervisor: int, given: argparse.Namespace) -> Measured:
    """The first stage."""
    with (
        Watch(server.url, supervisor) as watch,
        chores(server, folder, 60 * given.minutes / CHORES_AFTER) as undone,
    ):
        kinds, wrong, locust = visit(server, site, folder, given.minutes, given.readers)
    wrong += settled(server) + undone + watch.wrong + tell(kinds, watch, locust)
    visits = {
        "parts": [asdict(growth) for growth in watch.growths()],
        "locust_processors": locust,
        "longest_queue": max(watch.queue, default=0),
        "memory": [{"seconds": seconds, **memory} for seconds, memory in watch.samples],
    }
    return Measured(kinds, visits=visits, wrong=wrong)


def measure(folder: Path, given: argparse.Namespace) -> Measured:
    """Start a site, fill it, and take all stages, or the only one that is wanted."""
    with running(folder / "var") as server:
        keeper = holder(Paths(server.var))
        assert keeper is not None
        started = time.monotonic()
        site = fill(server, folder, given.runs)
        took = time.monotonic() - started
        print(f"{os.cpu_count()} processors, {platform.machine()}; filled in {took:.0f} s", flush=True)
        measured = Measured()
        if given.only in (None, "visitors"):
            measured = receive_visitors(server, site, folder, keeper.pid, given)
        if given.only in (None, "rates"):
            measured.rates = rates(server)
            measured.wrong += [f"{each.name}: {each.errors} errors" for each in measured.rates if each.errors]
        if given.only in (None, "largest"):
            measured.largest = largest_requests(server, keeper.pid, site.secret)
            measured.wrong += [line for each in measured.largest for line in each.wrong]
        measured.wrong += [line for line in settled(server) if line not in measured.wrong]
    return measured


def main() -> int:
    """Measure, print, save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--readers", type=int, default=40)
    parser.add_argument("--runs", type=int, default=1_000, help="that are stored before (%(default)s)")
    parser.add_argument("--only", choices=("visitors", "rates", "largest"), help="one stage")
    parser.add_argument("--json", type=Path, default=Path("var/load.json"), help="where the figures go (%(default)s)")
    given = parser.parse_args()
    Path("var").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="load-", dir=os.environ.get("TMPDIR", "var")) as name:
        measured = measure(Path(name).resolve(), given)
    print("\n" + ("no errors" if not measured.wrong else "wrong:\n  " + "\n  ".join(measured.wrong)))
    figures = asdict(measured)
    kept = {**vars(given), "json": None, "load_before": os.getloadavg(), **figures.pop("visits"), **figures}
    given.json.parent.mkdir(exist_ok=True)
    given.json.write_text(json.dumps(kept, indent=1) + "\n")
    return 1 if measured.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
