"""The largest documents, tables, surfaces, files and imports that the server takes, one after the other."""

from collections.abc import Iterator, Sequence
from functools import partial

from tests.support.documents import Section

from . import sizes
from .client import Client
from .needed import Step

PICTURES = ("pdf", "png", "svg")
TEXTS = ("bb", "bigger", "bmf", "csv", "html", "json", "junit", "md", "metrics", "parquet", "smaller", "tex", "tsv")
DATA = ("csv", "json")
FEW_ROUNDS, MANY_ROUNDS = 40, 200  # 200,000 values, of which the web server writes files itself, and a million


def steps(client: Client, trend: str) -> Iterator[Step]:
    """Every step, in an order in which what one needs is stored before. `trend` is the query of the longest trend."""
    raw, values, results = sizes.most_raw_output(), sizes.most_values(), sizes.most_results()
    yield _upload(client, "upload, two million values", values)
    yield _upload(client, "upload, two million values as objects", sizes.most_objects())
    yield _upload(client, "upload, 100,000 results", results)
    yield _upload(client, "upload, 120 MB of raw output", raw)
    yield from _of_run(client, "two million values", values["run_id"])
    yield from _of_run(client, "100,000 results", results["run_id"])
    yield _page(client, "raw output, 120 MB", f"/runs/{raw['run_id']}/raw/iozone.txt")
    yield _page(client, "API: raw output, 120 MB", f"/api/v1/runs/{raw['run_id']}/artifacts/iozone.txt")
    for rounds in (FEW_ROUNDS, MANY_ROUNDS):
        yield from _table(client, rounds)
    yield from _files(client, "trend", "/trend/", "trend", trend, (*DATA, "svg"))
    yield "import, 32 MiB", partial(client.give_file, sizes.file_to_import())
    yield "import, its preview", lambda: client.own(f"{client.draft}/files/0?start=50000")
    yield "import, storing it", client.store_import


def _upload(client: Client, name: str, made: Section) -> Step:
    return name, partial(client.put, made["run_id"], sizes.packed(made))


def _page(client: Client, name: str, path: str) -> Step:
    return name, partial(client.get, path)


def _of_run(client: Client, name: str, run: str) -> Iterator[Step]:
    yield _page(client, f"run, {name}", f"/runs/{run}/")
    yield _page(client, f"API: run, {name}", f"/api/v1/runs/{run}")
    yield _page(client, f"result, {name}", f"/runs/{run}/results/7/")
    yield from _files(client, f"surface, {name}", "/surface/", "surface", f"run={run}&test=write", DATA)


def _table(client: Client, rounds: int) -> Iterator[Step]:
    """Four runs of so many rounds are stored, compared in the largest table, and shared."""
    compared = sizes.of_a_table(rounds)
    name = f"table, 4,992 results of {rounds}"
    for made in compared:
        yield _upload(client, f"upload, 1,248 results of {rounds}", made)
    query = sizes.query_of(compared)
    yield from _files(client, name, "/compare/", "table", query, TEXTS if rounds == MANY_ROUNDS else DATA)
    if rounds == FEW_ROUNDS:
        yield _page(client, f"{name} .csv, long", f"/compare/table.csv?{query}&shape=long")
        drawn = sizes.query_of(compared, sizes.DRAWN)
        yield from _files(client, "table, 1,248 results", "/compare/", "table", drawn, PICTURES)
    link: list[str] = []

    def share() -> int:
        status, answer = made(lambda: client.post("/api/v1/permalinks", {"query": query, "kind": "table"}))
        link.append(answer.get("id", ""))
        return status

    yield f"{name}, shared", share
    yield f"{name}, permalink", lambda: client.get(f"/c/{link[0]}/")
    yield f"{name}, permalink .json", lambda: client.get(f"/c/{link[0]}.json")
    yield f"{name}, permalink embedded", lambda: client.get(f"/c/{link[0]}/embed")


def _files(client: Client, name: str, path: str, kind: str, query: str, formats: Sequence[str]) -> Iterator[Step]:
    """The page of a comparison, and its files in these formats."""
    yield _page(client, name, f"{path}?{query}")
    for form in formats:
        yield _page(client, f"{name} .{form}", f"{path}{kind}.{form}?{query}")
