"""`make bench-scale`: what pages, uploads and the disk cost with 10,000 to 10 million results.

One database grows. At each size pages are asked for in this process, without a web server: their milliseconds, and the
blocks of 8 KiB that their queries go through, which no other program on the machine changes. All figures also go into a
JSON file.
"""

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any
from uuid import UUID

import psycopg

from benchdb.embedded.background import services
from benchdb.embedded.config import database_url
from tests.bench.server.copies import multiply
from tests.bench.server.stock import COMPARED, address, reference, references
from tests.support.documents import encoded

RUNS = (10, 100, 1_000, 7_700)
RESULTS = 1_300  # in each run
TABLES = {"results": "^runs_result", "summaries": "^runs_summary", "runs": "^runs_(run|runstate|parse|facets)$"}
SIZES = """
SELECT sum(pg_table_size(c.oid)), sum(pg_indexes_size(c.oid)), sum(c.reltuples) FROM pg_class c
WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname ~ %s"""
Figures = dict[str, float]


def pages(runs: list[str], link: str) -> dict[str, str]:
    """The addresses to read, by name."""
    query = address([{"run_id": run} for run in runs])
    return {
        "comparison of 4 runs": f"/compare/?{query}",
        "the same as JSON": f"/compare/table.json?{query}",
        "a run of 1,300 results": f"/runs/{runs[0]}/",
        "list of runs": "/runs/",
        "permalink": link,
        "machines": "/machines/",
        "search": "/search/?q=ext4",
        "list of file systems": "/file-systems/",
        "same workload on other machines": f"/runs/{runs[0]}/others/",
    }


def taken(measure: Callable[[], object], rounds: int) -> float:
    """The median in milliseconds, without the first round, which fills caches."""
    times = []
    for _ in range(rounds + 1):
        begun = time.perf_counter()
        measure()
        times.append(1000 * (time.perf_counter() - begun))
    return median(times[1:])


def blocks(path: str) -> int:
    """The number of blocks that the queries of a page access."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as captured:
        Client().get(path)
    count = 0
    for query in captured.captured_queries:
        with connection.cursor() as cursor:
            cursor.execute("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + query["sql"].replace("%", "%%"), [])
            (plan,) = cursor.fetchone()
        root = (json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]
        count += root["Shared Hit Blocks"] + root["Shared Read Blocks"]
    return count


def measured(database: psycopg.Connection[Any], owner: Any, read: dict[str, str], rounds: int) -> Figures:
    """All figures of one size."""
    from django.test import Client

    from benchdb.ingest.services import store_for
    from benchdb.runs.models import Visibility

    figures: Figures = {}
    for name, path in read.items():
        assert Client().get(path).status_code in (200, 302), path  # the same workload elsewhere leads to a comparison
        figures[f"{name}, ms"] = taken(lambda path=path: Client().get(path), rounds)  # type: ignore[misc]
        figures[f"{name}, blocks"] = blocks(path)
    sent = [encoded(reference(seed)) for seed in range(6)]
    ids = [UUID(json.loads(document)["run_id"]) for document in sent]
    left = list(zip(ids, sent, strict=True))
    figures["upload of 1,300 results with their statistics, ms"] = taken(
        lambda: store_for(owner, Visibility.PUBLIC, *left.pop()), 5
    )
    for name, tables in TABLES.items():
        row = database.execute(SIZES, [tables]).fetchone()
        assert row is not None
        table, indexes, rows = (float(number) for number in row)
        figures |= {f"{name}, rows": rows, f"{name}, MB": table / 1e6, f"{name}, MB of indexes": indexes / 1e6}
    return figures


def grown(var: Path, sizes: Sequence[int], rounds: int) -> dict[str, Figures]:
    """The figures of each number of runs."""
    import django

    os.environ |= {"BENCHDB_VAR": str(var), "DJANGO_SETTINGS_MODULE": "tests.bench.alone"}
    django.setup()
    from django.contrib.auth.models import User
    from django.core.management import call_command

    from benchdb.compare.permalinks import anonymous_page
    from benchdb.compare.permalinks.services import share
    from tests.support.store import store_run

    call_command("migrate", verbosity=0)
    ada, figures = User.objects.create_user("ada"), {}
    base = [str(store_run(ada, document, visibility="public").pk) for document in references(10)]
    chosen = base[:COMPARED]
    link, _ = share(ada, "table", address([{"run_id": run} for run in chosen]), site="http://testserver")
    anonymous_page.prepare(link.id)
    read, copies = pages(chosen, link.get_absolute_url()), 0
    with psycopg.connect(database_url(var), autocommit=True) as database:
        for number in sizes:
            begun, more = time.monotonic(), number // len(base) - copies - 1
            if more > 0:
                multiply(database, base, more, RESULTS, copies * len(base))
                copies += more
            database.execute("VACUUM ANALYZE runs_runstate")
            print(f"{number:,} runs stored in {time.monotonic() - begun:.0f} s", flush=True)
            figures[f"{number:,} runs"] = measured(database, ada, read, rounds)
    return figures


def main() -> int:
    """Store, measure, print a Markdown table, and save the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=RUNS[-1], help="runs (%(default)s)")
    parser.add_argument("--json", type=Path, default=Path("var/scale.json"), help="where figures go (%(default)s)")
    parser.add_argument("--directory", default="var", help="where the database lies meanwhile (%(default)s)")
    arguments = parser.parse_args()
    print(f"{os.cpu_count()} processors, {platform.machine()}, load {os.getloadavg()[0]:.1f}", flush=True)
    Path("var").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="scale-", dir=arguments.directory) as directory:
        os.chmod(directory, 0o755)
        var = Path(directory).resolve()
        with services(var):  # creates the database
            pass
        with (var / "postgres" / "postgresql.conf").open("a") as file:
            file.write("wal_level = minimal\nmax_wal_senders = 0\n")  # required by `multiply`
        with services(var):
            figures = grown(var, [n for n in RUNS if n <= arguments.most], 20)
    arguments.json.parent.mkdir(exist_ok=True)
    arguments.json.write_text(json.dumps(figures, indent=1) + "\n")
    print("\n|  | " + " | ".join(figures) + " |\n|---|" + "---:|" * len(figures))
    for name in next(iter(figures.values())):
        print(f"| {name} | " + " | ".join(f"{of[name]:,.1f}" for of in figures.values()) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
