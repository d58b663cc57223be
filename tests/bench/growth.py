"""`make bench-scale`: what pages, uploads and the disk cost with 10,000 to 10 million results, whole and in parts.

A server for each size runs beside the others, and every figure is taken on each of them in turns. The largest is then
put into 16 parts and measured again. Besides: how long a replica takes to have an upload. All figures also go into a
JSON file.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any
from uuid import UUID

import psycopg

from benchdb.embedded.config import database_url
from benchdb.embedded.stack import PROJECT, manage
from tests.scale.site import site
from tests.support.documents import Section, encoded

from .connection import Connection
from .reading import Stored, bare
from .site import FEW, share, stored
from .stock import address, compared, others, reference

RUNS = (10, 100, 1_000, 7_700)
RESULTS = 1_300  # of a run
PARTS = 16
Figures = dict[str, float]  # milliseconds by what was done, bytes by what takes them

SIZES = """
SELECT sum(pg_table_size(c.oid)), sum(pg_indexes_size(c.oid)), sum(c.reltuples) FROM pg_class c
WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname ~ %s"""


def asked(server: Stored, secret: str, runs: list[Section], link: str) -> Iterator[tuple[str, Callable[[], float]]]:
    """What is measured, each as a function that gives its seconds."""
    query, ids = address(runs), [UUID(run["run_id"]) for run in runs]
    page = {"accept_encoding": "gzip"}
    paths = {
        "comparison .json": f"/compare/table.json?{query}",
        "comparison page": f"/compare/?{query}",
        "run of 52 results": f"/runs/{ids[0]}/",
        "list of runs": "/runs/",
        "permalink": link,
    }
    yield "comparison, bare SQL", lambda: bare(server.database, ids)
    for name, path in paths.items():
        yield name, lambda path=path: ask(server, path, **page)  # type: ignore[misc]
    yield "upload of 1,300 results", lambda: upload(server, secret)


def ask(server: Stored, path: str, **fields: Any) -> float:
    """Seconds of an answer."""
    with Connection(server.url) as connection:
        return connection.ask(path, **fields).seconds


def upload(server: Stored, secret: str) -> float:
    """Seconds of an upload of a new run."""
    document = reference(time.monotonic_ns())
    fields = {"authorization": f"Bearer {secret}", "content_type": "application/json"}
    with Connection(server.url) as connection:
        path = f"/api/v1/runs/{document['run_id']}"
        return connection.ask(path, "PUT", encoded(document), 201, **fields).seconds


def measured(servers: dict[str, dict[str, Callable[[], float]]], rounds: int) -> dict[str, Figures]:
    """Medians of milliseconds; the first round fills caches and does not count."""
    taken: dict[str, dict[str, list[float]]] = {key: {name: [] for name in of} for key, of in servers.items()}
    for turn in range(rounds + 1):
        for key, of in servers.items():
            for name, measure in of.items():
                seconds = measure()
                if turn:
                    taken[key][name].append(1000 * seconds)
    return {key: {name: median(each) for name, each in of.items()} for key, of in taken.items()}


def sizes(server: Stored) -> Figures:
    """Bytes of results, summaries and the other tables that grow, without raw output, for each result."""
    found = {}
    for name, tables in (
        ("results", "^runs_result"),
        ("summaries", "^runs_summary"),
        ("the rest of runs", "^runs_(run|runstate|parse|facets)$"),
    ):
        row = server.database.execute(SIZES, [tables]).fetchone()
        assert row is not None
        table, indexes, rows = (float(each) for each in row)
        found |= {f"{name}: rows": rows, f"{name}: bytes": table, f"{name}: bytes of indexes": indexes}
    return found


def replicated(directory: Path, rounds: int) -> Figures:
    """Milliseconds from the answer to an upload until a replica has it."""
    directory.mkdir()
    behind = []
    with site(directory, migrate) as here, ExitStack() as stack:
        primary, replica = (
            stack.enter_context(psycopg.connect(database_url(directory / name), autocommit=True))
            for name in ("main", "replica")
        )
        for seed in range(rounds + 1):
            here.agent.upload(here.patient, reference(seed))
            begun = time.perf_counter()
            (position,) = primary.execute("SELECT pg_current_wal_flush_lsn()").fetchone() or (None,)
            while replica.execute("SELECT pg_last_wal_replay_lsn() < %s::pg_lsn", [position]).fetchone() == (True,):
                pass
            behind.append(1000 * (time.perf_counter() - begun))
    return {"replica has an upload after": median(behind[1:]), "at most": max(behind[1:])}


def told(var: Path, *command: str) -> str:
    """What a `manage.py` command says that works in this directory."""
    environment = {**os.environ, "BENCHDB_VAR": str(var)}
    done = subprocess.run(manage(*command), env=environment, cwd=PROJECT, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def migrate(var: Path) -> None:
    """Give an empty database its tables."""
    told(var, "migrate")


def tell(found: dict[str, Figures]) -> None:
    """Tables of Markdown: milliseconds, and bytes a result."""
    print("\n" + "\n".join(f"{name}: {value:.1f} ms" for name, value in found.pop("replica").items()))
    names = list(next(iter(found.values())))
    for about, of_sizes in (("milliseconds", False), ("bytes", True)):
        print(f"\n| {about} | " + " | ".join(found) + " |\n|---|" + "---|" * len(found))
        for name in (name for name in names if (":" in name) == of_sizes):
            digits = 1 if about == "milliseconds" else 0
            print(f"| {name} | " + " | ".join(f"{of[name]:,.{digits}f}" for of in found.values()) + " |")


def main() -> int:
    """Store, measure, print as tables of Markdown, keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of the runs and few rounds")
    parser.add_argument("--json", type=Path, default=Path("var/scale.json"), help="where figures go (%(default)s)")
    arguments = parser.parse_args()
    rounds = 4 if arguments.quick else 20
    numbers = [max(FEW, number // 10) for number in RUNS[1:]] if arguments.quick else RUNS
    runs = compared()
    documents = [*runs, *others(FEW - len(runs))]
    print(f"{os.cpu_count()} processors, {platform.machine()}, load {os.getloadavg()[0]:.1f}", flush=True)
    found: dict[str, Figures] = {}
    Path("var").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="scale-", dir="var") as directory, ExitStack() as stack:
        var = Path(directory).resolve()
        os.environ["BENCHDB_VAR"] = str(var / "0")
        found["replica"] = replicated(var / "site", rounds)
        servers, kept = {}, {}
        for i, number in enumerate(numbers):
            begun = time.monotonic()
            copies = (number - FEW) // (FEW - len(runs))
            server, secret = stack.enter_context(stored(var / str(i), documents, copies, RESULTS))
            key = f"{server.runs:,} runs"
            print(f"{key} stored in {time.monotonic() - begun:.0f} s", flush=True)
            kept[key] = server
            servers[key] = dict(asked(server, secret, runs, share(server, secret, address(runs))))
        found |= measured(servers, rounds)
        for key, server in kept.items():
            found[key] |= sizes(server)
        print(told(var / str(len(numbers) - 1), "partition", str(PARTS)), flush=True)
        found |= {f"{key}, {PARTS} parts": measured({key: servers[key]}, rounds)[key] | sizes(kept[key])}
    arguments.json.parent.mkdir(exist_ok=True)
    arguments.json.write_text(json.dumps(found, indent=1) + "\n")
    tell(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
