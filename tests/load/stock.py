"""What the site under load holds, and where its visitors go."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg

from benchdb.embedded.config import database_url
from tests.agents.formats.texts import golden
from tests.bench.site import COMPUTE
from tests.bench.stock import address, compared, multiply, others, reference
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

BASES = 6  # reference runs that the others are copies of
COPIED_RESULTS = 130
DAYS = 20
PEOPLE = ("grace", "edsger")
PASSWORD = "correct horse battery staple"
DOCUMENTS = 5  # different reference runs that agents send, under another id each time
MAKE_PEOPLE = """
from django.contrib.auth.models import User
for name in {names!r}: User.objects.create_user(name, password={password!r})
"""


@dataclass(frozen=True)
class Read:
    """Something that readers ask for: how often beside the others, and where. `status` is what is right."""

    kind: str
    weight: int
    paths: list[str]
    again: bool = False  # with the ETag of the visit before


@dataclass(frozen=True)
class Site:
    """What visitors know of the site."""

    reads: list[Read]
    secret: str
    people: list[str]
    password: str
    text: str
    documents: list[str]

    def write(self, path: Path) -> None:
        """For Locust's process."""
        path.write_text(json.dumps(asdict(self)))


def fill(server: Server, folder: Path, runs: int) -> Site:
    """Store so many runs and what belongs to them; documents to send go into the folder."""
    secret = server.manage("token", "ada", "--create-owner", "--scope=upload", "--scope=read", "--visibility=public")
    server.manage("shell", "-c", MAKE_PEOPLE.format(names=PEOPLE, password=PASSWORD))
    four, bases, days, auto = compared(), others(BASES), _days(), iozone_document()
    for each in (*four, *bases, *days, auto):
        server.upload(each, secret)
    server.manage("load_publications")
    server.manage("shell", "-c", COMPUTE)
    with psycopg.connect(database_url(server.var), autocommit=True) as database:
        copies = (runs - len(four) - len(bases)) // len(bases)
        multiply(database, [each["run_id"] for each in bases], copies, COPIED_RESULTS)
        database.execute("VACUUM ANALYZE")
        stored = [str(each) for (each,) in database.execute("SELECT id FROM runs_run ORDER BY random() LIMIT 200")]
        results = [
            f"/runs/{run}/results/{ordinal}/"
            for run, ordinal in database.execute("SELECT run_id, ordinal FROM runs_result ORDER BY random() LIMIT 100")
        ]
        machines = [machine for (machine,) in database.execute("SELECT id FROM catalog_machine")]
    queries = [address(four), *(address(four[i:] + four[:i]) for i in (1, 2, 3))]
    links = [_share(server, secret, "table", each) for each in queries]
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
        Read("list of runs, filtered", 8, [f"/runs/?{each}" for each in filters]),
        Read("run", 12, [f"/runs/{each}/" for each in stored]),
        Read("result", 3, results),
        Read("raw output", 2, [f"/runs/{auto['run_id']}/raw/iozone.txt"]),
        Read("comparison", 8, [f"/compare/?{each}" for each in queries]),
        Read("comparison .json", 3, [f"/compare/table.json?{each}" for each in queries]),
        Read("comparison .csv", 1, [f"/compare/table.csv?{each}" for each in queries]),
        Read("surface", 4, [f"/surface/?{surface}"]),
        Read("surface .json", 1, [f"/surface/surface.json?{surface}"]),
        Read("trend", 2, [f"/trend/?run={days[0]['run_id']}"]),
        Read("permalink", 12, [f"/c/{each}/" for each in links]),
        Read("permalink, not changed", 12, [f"/c/{each}/" for each in links], again=True),
        Read("permalink .json", 2, [f"/c/{each}.json" for each in links]),
        Read("permalink embedded", 2, [f"/c/{each}/embed" for each in links]),
        Read("permalink .svg", 1, [f"/c/{each}.svg" for each in links]),
        Read("machines", 2, ["/machines/", *(f"/machines/{each}/" for each in machines)]),
        Read("articles", 2, ["/articles/", "/articles/iozone-2009/"]),
        Read("search", 2, ["/search/?q=epyc", "/search/?q=ext4", "/search/?q=nothing"]),
        Read("API: run", 2, [f"/api/v1/runs/{each}" for each in stored[:50]]),
        Read("API: page", 1, ["/api/", "/agent/"]),
    ]


def _share(server: Server, secret: str, kind: str, query: str) -> str:
    status, body = server.request(
        "api/v1/permalinks", "POST", secret, json.dumps({"query": query, "kind": kind}).encode()
    )
    assert status == 201, body
    found: str = json.loads(body)["id"]
    return found


def _days() -> list[Section]:
    """One workload on one machine, day after day."""
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
    """A reference run in a file."""
    made: dict[str, Any] = reference(seed)
    path = folder / f"document-{seed}.json"
    path.write_bytes(encoded(made))
    return str(path)
