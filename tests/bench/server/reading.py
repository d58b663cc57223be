"""Times of comparisons, the list of runs and permalinks, beside plain SQL and an empty view.

Every request of a comparison has another selection, and every first request of a permalink another permalink.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack
from uuid import UUID

from tests.bench.connection import EMPTY, Connection
from tests.bench.ratios import Ledger, Ratio
from tests.bench.server.figure import Figure, Stored
from tests.bench.server.processor_time import seconds_of
from tests.bench.server.sql import bare
from tests.bench.server.stock import FILE_SYSTEMS, address
from tests.support.documents import Section

GROUPS = ("comparison", "facets", "permalinks")
FIRSTS = 4  # permalinks that are requested for the first time, a round and form
MOST_BYTES = 300_000  # of the page of a comparison, uncompressed


def permalinks(rounds: int) -> int:
    """The number of permalinks that `reading` needs."""
    return 2 * FIRSTS * (rounds + 1)


def reading(
    ledger: Ledger,
    few: Stored,
    many: Stored,
    runs: list[Section],
    links: Sequence[str],
    rounds: int,
    groups: Collection[str],
) -> None:
    """Measure these GROUPS. Each figure is taken once a round, so that all are taken under the same conditions."""
    with ExitStack() as stack:
        near, far = (stack.enter_context(Connection(server.url)) for server in (few, many))
        figures: dict[str, Figure] = {}
        for name, connection, stored in (("few", near, few), ("many", far, many)):
            if "comparison" in groups:
                figures.update(_comparison(name, connection, stored, runs))
            if "facets" in groups:
                figures[f"facets {name}"] = _facets(connection)
        if "permalinks" in groups:
            figures.update(_permalinks(near, links))
        taken: dict[str, list[float]] = {name: [] for name in figures}
        for turn in range(rounds + 1):
            for name, figure in figures.items():
                seconds = figure.seconds(turn)
                if turn:  # the first round fills caches
                    taken[name].append(seconds)
        _tell(ledger, taken, few.runs, many.runs)
        if "comparison" in groups:
            _processor_time(ledger, far, many, runs, rounds)


def _comparison(name: str, connection: Connection, stored: Stored, runs: list[Section]) -> Iterator[tuple[str, Figure]]:
    """The same table as SQL, as data and as a page."""
    ids = [UUID(run["run_id"]) for run in runs]
    yield f"sql {name}", Figure(lambda n: bare(stored.database, ids, n), 5)
    yield f"json {name}", Figure(lambda n: connection.settled(f"/compare/table.json?{address(runs, n)}"))
    yield f"html {name}", Figure(lambda n: connection.settled(f"/compare/?{address(runs, n)}", "gzip"))
    yield f"kept html {name}", Figure(lambda n: connection.settled(f"/compare/?{address(runs, 0)}", "gzip"))


def _permalinks(near: Connection, links: Sequence[str]) -> Iterator[tuple[str, Figure]]:
    """Frozen tables for their first reader, for later ones, and for readers with a copy, beside an empty view."""
    pages, data = links[::2], [f"{link.rstrip('/')}.json" for link in links[1::2]]
    tags = [near.ask(page, accept_encoding="gzip").field("ETag") for page in pages[:FIRSTS]]

    def again(n: int) -> float:
        return near.ask(pages[n % FIRSTS], expected=304, if_none_match=tags[n % FIRSTS]).seconds

    yield "empty", Figure(lambda n: near.ask(EMPTY).seconds, 20, steady=True)
    yield "permalink first", Figure(lambda n: near.settled(pages[n], "gzip"), FIRSTS)
    yield "permalink data first", Figure(lambda n: near.settled(data[n], "gzip"), FIRSTS)
    yield "permalink", Figure(lambda n: near.ask(pages[n % FIRSTS], accept_encoding="gzip").seconds, 20, steady=True)
    yield (
        "permalink data",
        Figure(lambda n: near.ask(data[n % FIRSTS], accept_encoding="gzip").seconds, 20, steady=True),
    )
    yield "permalink data, not compressed", Figure(lambda n: near.ask(data[n % FIRSTS]).seconds, 20, steady=True)
    yield "permalink not changed", Figure(again, 20, steady=True)


def _facets(connection: Connection) -> Figure:
    """The list of runs with its facets: of all runs, and of one file system after another."""
    paths = ["/runs/", *(f"/runs/?file_system={name}" for name in FILE_SYSTEMS)]
    return Figure(lambda n: connection.settled(paths[n % len(paths)], "gzip"), len(paths))


def _processor_time(ledger: Ledger, far: Connection, many: Stored, runs: list[Section], rounds: int) -> None:
    """Processor time of a comparison in all processes of the server, with the work after its answer."""
    for name, path in (("page", "/compare/"), (".json", "/compare/table.json")):
        before = seconds_of(many.var)
        for n in range(rounds):
            far.settled(f"{path}?{address(runs, n)}", "gzip")
        seconds = (seconds_of(many.var) - before) / rounds
        ledger.keep(f"processor time of a comparison {name}, s", seconds)
        ledger.say(f"{f'processor time of a comparison {name}, s':44} {seconds:6.3f}")
    size = len(far.ask(f"/compare/?{address(runs)}").body)
    ledger.check("size of a comparison page, kB", size <= MOST_BYTES, f"{size / 1000:6.1f} of {MOST_BYTES / 1000:g}")
    ledger.keep("size of a comparison page, kB", size / 1000, most=MOST_BYTES / 1000)


def _tell(ledger: Ledger, taken: dict[str, list[float]], few: int, many: int) -> None:
    ledger.say(f"\n{'milliseconds':44} {'median':>8}")
    for name, seconds in taken.items():
        ledger.time(name, seconds)
    ledger.say("")

    def ratio(name: str, above: str, below: str, most: float | None = None, least: float | None = None) -> None:
        if above not in taken:
            return
        values = [a / b for a, b in zip(taken[above], taken[below], strict=True)]
        ledger.bound(Ratio(name, values), most, least)

    ratio("comparison .json ÷ bare SQL", "json many", "sql many", most=8)
    ratio("comparison page ÷ bare SQL", "html many", "sql many", most=16)
    ratio("kept comparison page ÷ bare SQL", "kept html many", "sql many", most=6)
    grown = f"{few:,} → {many:,} runs"
    ratio(f"bare SQL, {grown}", "sql many", "sql few")
    ratio(f"comparison .json, {grown}", "json many", "json few", most=1.2)
    ratio(f"comparison page, {grown}", "html many", "html few", most=1.2)
    ratio(f"list of runs with facets, {grown}", "facets many", "facets few", most=2)
    ratio("permalinks/s ÷ empty views/s, first", "empty", "permalink first", least=0.25)
    ratio("permalink .json/s ÷ empty views/s, first", "empty", "permalink data first")
    ratio("permalinks/s ÷ empty views/s, cached", "empty", "permalink", least=0.6)
    ratio("permalink .json/s ÷ empty views/s, cached", "empty", "permalink data")
    ratio("the same, not compressed", "empty", "permalink data, not compressed")
    ratio("permalinks not changed/s ÷ empty views/s", "empty", "permalink not changed", least=0.6)
