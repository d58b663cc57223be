"""The data of the site under load, and the addresses of its visitors."""

import json
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg

from benchdb.embedded.config import database_url
from tests.agents.formats.texts import golden
from tests.bench.server.copies import multiply
from tests.bench.server.site import COMPUTE
from tests.bench.server.stock import COMPARED, address, reference, references
from tests.support.documents import (
    GIB,
    MIB,
    STARTED,
    Section,
    artifact,
    document,
    encoded,
    iozone_document,
    result,
)
from tests.system.server import Server

BASES = 10  # reference runs that are copied; the first four are compared
COPIED_RESULTS = 130
DAYS = 20
PEOPLE = ("grace", "edsger")
PASSWORD = "correct horse battery staple"
DOCUMENTS = 5  # different reference runs that agents send under new ids
MAKE_PEOPLE = """
from django.contrib.auth.models import User
for name in {names!r}: User.objects.create_user(name, password={password!r})
"""


@dataclass(frozen=True)
class Read:
    """Addresses that readers request, with their relative frequency. `status`: the expected status."""

    kind: str
    weight: int
    paths: list[str]
    again: bool = False  # with the ETag of the previous visit


@dataclass(frozen=True)
class Site:
    """The visitors' knowledge of the site."""

    reads: list[Read]
    secret: str
    people: list[str]
    password: str
    text: str
    documents: list[str]

    def write(self, path: Path) -> None:
        """Save it for Locust's process."""
        path.write_text(json.dumps(asdict(self)))


def fill(server: Server, folder: Path, runs: int) -> Site:
    """Store this many runs and related data, and write documents to send into the folder."""
    secret = server.manage("token", "ada", "--create-owner", "--scope=upload", "--scope=read", "--visibility=public")
    server.manage("shell", "-c", MAKE_PEOPLE.format(names=PEOPLE, password=PASSWORD))
    bases, days, auto = references(BASES), _days(), iozone_document()
    four = bases[:COMPARED]
    for sent in (*bases, *days, auto):
        server.upload(sent, secret)
    server.manage("load_publications")
    server.manage("shell", "-c", COMPUTE)
    with psycopg.connect(database_url(server.var), autocommit=True) as database:
        copies = runs // len(bases) - 1
        multiply(database, [base["run_id"] for base in bases], copies, COPIED_RESULTS)
        database.execute("VACUUM ANALYZE")
        stored = [str(run_id) for (run_id,) in database.execute("SELECT id FROM runs_run ORDER BY random() LIMIT 200")]
        results = [
            f"/runs/{run}/results/{ordinal}/"
            for run, ordinal in database.execute("SELECT run_id, ordinal FROM runs_result ORDER BY random() LIMIT 100")
        ]
        machines = [machine for (machine,) in database.execute("SELECT id FROM catalog_machine")]
    queries = [address(four), *(address(four[i:] + four[:i]) for i in (1, 2, 3))]
    links = [_share(server, secret, "table", query) for query in queries]
    links += [_share(server, secret, "surface", f"run={auto['run_id']}&test={test}") for test in ("read", "write")]
    return Site(
        reads=_reads(stored, results, machines, queries, links, four, auto, days),
        secret=secret,
        people=list(PEOPLE),
        password=PASSWORD,
        text=golden("iozone-auto_rw.txt"),
        documents=[_kept(folder, seed) for seed in range(DOCUMENTS)],
    )


def _reads(
    stored: list[str],
    results: list[str],
    machines: list[int],
    queries: list[str],
    links: list[str],
    four: list[Section],
    auto: Section,
    days: list[Section],
) -> list[Read]:
    filters = ("file_system=ext4", "file_system=xfs&tool=iozone", "tool=iozone", "sort=machine", f"after={stored[0]}")
    surface = f"run={auto['run_id']}&test=read"
    return [
        Read("home", 3, ["/"]),
        Read("list of runs", 10, ["/runs/"]),
        Read("list of runs, filtered", 8, [f"/runs/?{query}" for query in filters]),
        Read("run", 12, [f"/runs/{run}/" for run in stored]),
        Read("result", 3, results),
        Read("raw output", 2, [f"/runs/{auto['run_id']}/raw/iozone.txt"]),
        Read("comparison", 8, [f"/compare/?{query}" for query in queries]),
        Read("comparison .json", 3, [f"/compare/table.json?{query}" for query in queries]),
        Read("comparison .csv", 1, [f"/compare/table.csv?{query}" for query in queries]),
        Read("surface", 4, [f"/surface/?{surface}"]),
        Read("surface .json", 1, [f"/surface/surface.json?{surface}"]),
        Read("trend", 2, [f"/trend/?run={days[0]['run_id']}"]),
        Read("permalink", 12, [f"/c/{link}/" for link in links]),
        Read("permalink, not changed", 12, [f"/c/{link}/" for link in links], again=True),
        Read("permalink .json", 2, [f"/c/{link}.json" for link in links]),
        Read("permalink embedded", 2, [f"/c/{link}/embed" for link in links]),
        Read("permalink .svg", 1, [f"/c/{link}.svg" for link in links]),
        Read("machines", 2, ["/machines/", *(f"/machines/{machine}/" for machine in machines)]),
        Read("articles", 2, ["/articles/", "/articles/iozone-2009/"]),
        Read("search", 2, ["/search/?q=epyc", "/search/?q=ext4", "/search/?q=nothing"]),
        Read("API: run", 2, [f"/api/v1/runs/{run}" for run in stored[:50]]),
        Read("API: page", 1, ["/api/", "/agent/"]),
    ]


def _share(server: Server, secret: str, kind: str, query: str) -> str:
    status, body = server.request(
        "api/v1/permalinks", "POST", secret, json.dumps({"query": query, "kind": kind}).encode()
    )
    assert status == 201, body
    link: str = json.loads(body)["id"]
    return link


def _days() -> list[Section]:
    """One workload on one machine, on many days."""
    return [_day(day, 100.0 * MIB * (1 if day < DAYS / 2 else 0.88)) for day in range(DAYS)]


def _day(day: int, level: float) -> Section:
    started = STARTED + timedelta(days=day)
    measured = [level * (1 + ((7 * day + 3 * i) % 5 - 2) / 200) for i in range(6)]
    sizes = {"file_size": 32 * GIB, "record_size": MIB}
    times = {"started_at": started.isoformat(), "finished_at": (started + timedelta(minutes=9)).isoformat()}
    return document(
        rounds=len(measured),
        results=[result(measured, test, **sizes) for test in ("write", "random_write")],
        artifacts=[artifact("iozone.txt", f"what day {day} printed\n")],
        machine={"name": "epyc-7", "machine_id": "7a" * 32},
        **times,
    )


def _kept(folder: Path, seed: int) -> str:
    """Write a reference run to a file."""
    made: dict[str, Any] = reference(seed)
    path = folder / f"document-{seed}.json"
    path.write_bytes(encoded(made))
    return str(path)
