"""A BenchDB server as scripts use it."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Callable, TypeVar, Union
from urllib.parse import urlencode, urlsplit

from benchagent import __version__
from benchagent.errors import RequestRefused, ServerSilent
from benchagent.server.answers import retry_after
from benchagent.server.client import Client, host_of
from benchagent.server.exchange import Exchange, NoReply, Reply

from .checked import MISSHAPEN, checked, record
from .gate import GateAnswer, GateTest, answered, asked
from .runs import FoundRun
from .table import Table, table_of

Value = Union[str, int, None]
Values = Union[Value, Iterable[Value]]
MOST_PAGES = 100_000  # of a list of runs
PATIENCE = 600.0  # seconds for the statistics of an uploaded run


class Server:
    """One server, with a token for private data, uploads and sharing."""

    def __init__(self, address: str, token: str | None = None) -> None:
        """Raises UsageError if the address is invalid. Nothing is sent yet."""
        self._requests = Requests(address, token)
        self._token = token

    def runs(self, **filters: Values) -> Iterator[FoundRun]:
        """The runs that match every filter, newest first, page by page while they are read.

        The filters are those of the page of runs: `tool="fio"`, `file_system=["ext4", "xfs"]`, `kernel`, `q`, …
        Raises RequestRefused for a faulty filter, and ServerSilent after MOST_PAGES.
        """
        query: str | None = urlencode(_pairs(filters))
        for _ in range(MOST_PAGES):
            runs, query = self._requests.ask(f"api/v1/runs?{query}", _page)
            yield from runs
            if query is None:
                return
        raise ServerSilent(
            self._requests.server, f"lists more than {MOST_PAGES:,} pages of runs. Use a narrower filter."
        )

    def compare(self, *runs: FoundRun | str, **query: Values) -> Table:
        """The table of these runs, or of `campaign=ID`.

        The query is that of a comparison: `rows`, `columns`, `baseline`, `metric`, `test`, … (docs/comparisons.md).
        Raises RequestRefused for an impossible selection, with every fault.
        """
        pairs = [("run", run if isinstance(run, str) else run.run_id) for run in runs] + _pairs(query)
        return self._requests.ask(f"api/v1/comparisons/table?{urlencode(pairs)}", table_of)

    def table(self, address: str) -> Table:
        """The frozen table of a permalink of this server. Raises RequestRefused, and UsageError if it is no table."""
        return self._requests.ask(f"{address.split('?')[0].rstrip('/')}.json", table_of)

    def share(self, table: Table, *, share_private: bool = False) -> str:
        """Freeze a table under a permalink and return its address. The same table again has the same address.

        `share_private` lets everybody see the figures of runs that are not public.
        """
        body = {"query": table.query, "kind": "table", "share_private": share_private}
        return self._requests.ask("api/v1/permalinks", lambda answer: str(checked(answer["url"], "str")), body)

    def judge(self, tests: Sequence[GateTest], looks: Sequence[int], planned: int, margin: float) -> GateAnswer:
        """The verdicts of a gate on its tests after looks at these numbers of rounds. Raises RequestRefused."""
        body = asked(tests, looks, planned, margin)
        return self._requests.ask("api/v1/gate", lambda answer: answered(answer, len(tests)), body)

    def scopes(self) -> Sequence[str]:
        """The scopes of the token. Raises RequestRefused without a valid one."""
        return self._requests.ask("api/v1/token", lambda token: tuple(token["scopes"]))

    def upload(self, document: Path | bytes) -> str:
        """Store a result document, wait for its statistics, and return the id of its run.

        The same document may be sent again. Raises RequestRefused, and NotNow if the server does not decide.
        """
        data = document if isinstance(document, bytes) else document.read_bytes()
        run_id = str(json.loads(data)["run_id"])
        answer = Client(self._requests.server, self._token or "").send(run_id, data, lambda why, seconds: None)
        if not answer.stored:
            raise RequestRefused(self._requests.server, answer.status, answer.message)
        self.wait_for(run_id)
        return run_id

    def wait_for(self, run_id: str) -> None:
        """Wait until the statistics of a run are there. Raises ServerSilent if that takes too long."""
        end = time.monotonic() + PATIENCE
        while self._requests.ask(f"api/v1/runs/{run_id}/state", lambda run: run["state"] in ("received", "computing")):
            if time.monotonic() > end:
                raise ServerSilent(self._requests.server, "still computes the statistics of the run")
            time.sleep(PAUSE)


def _page(answer: Any) -> tuple[list[FoundRun], str | None]:
    """The runs of a page of the list, and the query string of the following page."""
    return [record(FoundRun, run) for run in answer["runs"]], checked(answer["next"], "str | None")


def _pairs(query: dict[str, Values]) -> list[tuple[str, str]]:
    """The parameters of a query string; None is left out, and a list repeats its name."""
    pairs = []
    for name, values in query.items():
        several = [values] if values is None or isinstance(values, (str, int)) else values
        pairs += [(name, str(value)) for value in several if value is not None]
    return pairs


T = TypeVar("T")
LARGEST = 64 * 2**20  # bytes of an answer: a table of 50,000 values has about 20 MB
MOST_PARTS = 5_000_000  # values of an answer: empty ones, too, take 100 bytes each when they are read
BUSY = frozenset({202, 429, 503})  # 202: a worker makes the file
ATTEMPTS = 30
PAUSE = 1.0  # seconds, if the server names none
LONGEST_PAUSE = 30.0


class Requests:
    """Requests to one server, with a token if there is one."""

    def __init__(self, server: str, token: str | None) -> None:
        self.server = server.rstrip("/")
        self._exchange = Exchange(host_of(server), LARGEST)
        self._headers = {"User-Agent": f"benchagent/{__version__}", "Accept": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"

    def ask(self, path: str, read: Callable[[Any], T], body: Mapping[str, object] | None = None) -> T:
        """What `read` makes of the JSON at a path, or at an address of this server; with a body, of its POST.

        Raises RequestRefused, and ServerSilent, also if `read` raises one of MISSHAPEN.
        """
        data = None if body is None else json.dumps(body).encode()
        headers = {**self._headers, **({"Content-Type": "application/json"} if data else {})}
        request = urllib.request.Request(f"{self.server}/{self._path(path)}", data, headers)
        for attempt in range(ATTEMPTS):
            try:
                reply = self._exchange(request, 60, 600)
            except NoReply as error:
                raise ServerSilent(self.server, str(error)) from None
            if reply.status not in BUSY or attempt == ATTEMPTS - 1:
                break
            named = retry_after(reply.headers.get("Retry-After"), reply.headers.get("Date"))
            time.sleep(min(named or PAUSE, LONGEST_PAUSE))
        if sum(map(reply.body.count, (b",", b"[", b"{"))) > MOST_PARTS:
            raise ServerSilent(self.server, f"answers with more than {MOST_PARTS:,} values, too many to read.")
        if reply.status not in (200, 201):
            raise self._refused(reply)
        try:
            return read(json.loads(reply.body))
        except MISSHAPEN:
            raise ServerSilent(self.server, "answers, but not as BenchDB does. Is a proxy in between?") from None

    def _path(self, path: str) -> str:
        """The path of an address of this server; the token must not go to another one. Raises RequestRefused."""
        if path.startswith(("http:", "https:")):
            if not path.startswith(self.server + "/"):
                raise RequestRefused(self.server, 0, f"{urlsplit(path).netloc} is another server")
            path = path[len(self.server) :]
        return path.lstrip("/")

    def _refused(self, reply: Reply) -> RequestRefused:
        try:
            error = json.loads(reply.body)["error"]
            faults = [checked(_fault(fault), "str") for fault in error["faults"]]
            return RequestRefused(self.server, reply.status, checked(error["message"], "str"), faults)
        except MISSHAPEN:
            return RequestRefused(self.server, reply.status, "no reason. Is this the address of a BenchDB server?")


def _fault(fault: Mapping[str, object]) -> str:
    """One fault in words: `/results/3: expected a number`, or only what is expected."""
    place = f"{fault['pointer']}: expected " if fault.get("pointer") else ""
    return f"{place}{fault['expected']}"
