"""The most expensive addresses of the web server, with the data that they read, in any size."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client

from benchdb.ingest.models import Scope
from tests.load.sizes import LINE, grid, query_of, with_columns
from tests.support.documents import Section, artifact, document, encoded, uuid7
from tests.support.made import make_all
from tests.support.many import copy_run
from tests.support.store import make_token, store_run

REFERENCE = "list of runs"  # what others are compared with; its own cost does not grow with sizes
Send = Callable[[], HttpResponseBase]
FILE_SYSTEMS = ("ext4", "xfs", "btrfs", "f2fs")
FORMATS = ("csv", "json", "html", "tex")


@dataclass(frozen=True)
class Size:
    """How much is read: sizes along each axis of a surface of 13 rounds; sizes of a table's 13 tests, and its rounds;
    runs of a trend; lines of raw output and of an import.
    """

    surface: int
    table: int
    rounds: int
    trend: int
    lines: int


SMALL = Size(surface=11, table=4, rounds=5, trend=10, lines=1_000)
LARGEST = Size(surface=141, table=96, rounds=40, trend=500, lines=1_000_000)


def addresses(client: Client, owner: User, size: Size) -> Mapping[str, Send]:
    """A request for each address. Stores their data."""
    bearer = {"Authorization": f"Bearer {make_token(owner, Scope.UPLOAD, Scope.READ)[1]}"}
    large = with_columns(5, grid(size.surface, size.surface), 13)
    compared = [with_columns(13, grid(1, size.table), size.rounds, file_system=name) for name in FILE_SYSTEMS]
    raw = document(artifacts=[artifact("iozone.txt", LINE * size.lines)])
    for sent in (large, *compared, raw):
        store_run(owner, sent)
    again = store_run(owner, document(file_system="zfs")).pk
    with connection.cursor() as cursor:
        copy_run(cursor, again, size.trend)

    readers = count(1)  # each of them may wait for one file of a worker

    def get(path: str) -> Send:
        reader = f"192.0.2.{next(readers)}"
        return lambda: client.get(path, REMOTE_ADDR=reader)

    def put(sent: Section) -> Send:
        body, own_id = encoded(sent), sent["run_id"].encode()

        def send() -> HttpResponseBase:
            run_id = str(uuid7())
            again = body.replace(own_id, run_id.encode(), 1)
            return client.put(f"/api/v1/runs/{run_id}", again, "application/json", headers=bearer)

        return send

    def share() -> HttpResponse:
        body = json.dumps({"query": table, "kind": "table"})
        return client.post("/api/v1/permalinks", body, "application/json", headers=bearer)

    table, run = query_of(compared), large["run_id"]
    surface = urlencode({"run": run, "test": "write"})
    share()
    make_all()
    link = f"/c/{json.loads(share().content)['id']}"
    return {
        REFERENCE: get("/runs/"),
        "list of runs, filtered": get("/runs/?file_system=ext4&tool=iozone"),
        "search": get("/search/?q=iozone+ext4"),
        "machines": get("/machines/"),
        "upload of many results": put(large),
        "upload of many values": put(compared[0]),
        "upload of raw output": put(raw),
        "run": get(f"/runs/{run}/"),
        "run, API": get(f"/api/v1/runs/{run}"),
        "result": get(f"/runs/{run}/results/7/"),
        "raw output": get(f"/runs/{raw['run_id']}/raw/iozone.txt"),
        "raw output, API": get(f"/api/v1/runs/{raw['run_id']}/artifacts/iozone.txt"),
        "surface": get(f"/surface/?{surface}"),
        **{f"surface .{form}": get(f"/surface/surface.{form}?{surface}") for form in ("csv", "json")},
        "trend": get(f"/trend/?run={again}"),
        **{f"trend .{form}": get(f"/trend/trend.{form}?run={again}") for form in ("csv", "json")},
        "table": get(f"/compare/?{table}"),
        **{f"table .{form}": get(f"/compare/table.{form}?{table}") for form in FORMATS},
        "table .csv, long": get(f"/compare/table.csv?{table}&shape=long"),
        "sharing a table": share,
        "permalink": get(f"{link}/"),
        "permalink .json": get(f"{link}.json"),
    }
