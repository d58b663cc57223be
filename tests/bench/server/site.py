"""`make bench`: the server beside the bare database, NumPy and an empty view, as ratios with 95 % intervals.

Two servers of their own run side by side, one with 10 stored runs and one with 10,000 (13 million results). What is
divided is measured in turns in the same run. The figures also go into a JSON file. `QUICK=1` stores 1,000 runs
and repeats little: to see whether it works.
"""

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg

from benchdb.embedded.background import services
from benchdb.embedded.config import database_url
from tests.bench.connection import Connection
from tests.bench.ratios import Ledger
from tests.bench.server.copies import multiply
from tests.bench.server.figure import Stored
from tests.bench.server.reading import GROUPS, permalinks, reading
from tests.bench.server.stock import COMPARED, address, references
from tests.bench.server.writing import writing
from tests.support.documents import Section
from tests.system.server import Server, running, worker

FEW = 10
ALL = (*GROUPS, "writing")
COMPUTE = """
from benchdb.runs.models import Run
from benchdb.runs.store.summaries import compute_summaries
for run in Run.objects.all():
    compute_summaries(run.pk)
"""


@contextmanager
def stored(var: Path, documents: list[Section], copies: int, results: int) -> Iterator[tuple[Stored, str, Server]]:
    """Start a server with these runs and copies of them. Yields it, a token and its server."""
    with services(var):  # creates the database
        pass
    with (var / "postgres" / "postgresql.conf").open("a") as file:
        file.write("wal_level = minimal\nmax_wal_senders = 0\n")  # required by `multiply`
    rates = {f"BENCHDB_{name}_RATE": "1000000/m" for name in ("UPLOAD", "SHARE", "WORK")}
    settings = {"DJANGO_SETTINGS_MODULE": "tests.bench.server.settings", **rates}
    with ExitStack() as stack:
        server = stack.enter_context(running(var, "--workers", "1", "--no-worker", **settings))
        scopes = ("--scope", "upload", "--scope", "read")
        secret = server.manage("token", "ada", "--create-owner", *scopes, "--visibility", "public")
        for document in documents:
            server.upload(document, secret)
        server.manage("shell", "-c", COMPUTE)
        database = stack.enter_context(psycopg.connect(database_url(var), autocommit=True))
        if copies:
            multiply(database, [document["run_id"] for document in documents], copies, results)
        # Otherwise this happens within the first minute and changes plans during a measurement.
        database.execute("VACUUM ANALYZE")
        yield Stored(server.url.rstrip("/"), var, database, len(documents) * (1 + copies)), secret, server


def share(server: Stored, secret: str, queries: Iterable[str]) -> Iterator[str]:
    """The paths of new permalinks to comparisons."""
    fields = {"authorization": f"Bearer {secret}", "content_type": "application/json"}
    with Connection(server.url) as connection:
        for query in queries:
            body = json.dumps({"query": query, "kind": "table"}).encode()
            answer = connection.ask("/api/v1/permalinks", "POST", body, 201, **fields)
            yield f"/c/{json.loads(answer.body)['id']}/"


def main() -> int:
    """Measure, print, save, and list unmet requirements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="little stored, little repeated")
    parser.add_argument("--json", type=Path, default=Path("var/bench.json"), help="where the figures go (%(default)s)")
    parser.add_argument("--only", nargs="+", choices=ALL, default=ALL, metavar="GROUP", help=f"of {', '.join(ALL)}")
    arguments = parser.parse_args()
    number, results, rounds = (1_000, 1_300, 6) if arguments.quick else (10_000, 1_300, 40)
    ledger = Ledger()
    documents = references(FEW)
    runs = documents[:COMPARED]
    machine = f"{os.cpu_count()} processors, {platform.machine()}, Python {platform.python_version()}"
    ledger.say(f"{machine}, load {os.getloadavg()[0]:.1f}")
    Path("var").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir="var") as directory, ExitStack() as stack:
        var = Path(directory).resolve()
        os.environ["BENCHDB_VAR"] = str(var / "few")
        few, secret, server = stack.enter_context(stored(var / "few", documents, 0, 0))
        started = time.monotonic()
        copies = number // FEW - 1
        many, *_ = stack.enter_context(stored(var / "many", documents, copies, results))
        ledger.say(f"{many.runs:,} runs stored in {time.monotonic() - started:.0f} s")
        if read := [group for group in arguments.only if group in GROUPS]:
            number_of_links = permalinks(rounds) if "permalinks" in read else 0
            links = list(share(few, secret, (address(runs, n) for n in range(number_of_links))))
            reading(ledger, few, many, runs, links, rounds, read)
        if "writing" in arguments.only:
            with worker(server):
                writing(ledger, few, var / "few", secret, rounds)
    arguments.json.parent.mkdir(exist_ok=True)
    arguments.json.write_text(json.dumps(ledger.kept, indent=1) + "\n")
    ledger.say("\n" + ("all met" if not ledger.unmet else "not met:\n  " + "\n  ".join(ledger.unmet)))
    return 1 if ledger.unmet else 0


if __name__ == "__main__":
    sys.exit(main())
