"""A BenchDB server as scripts use it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Union
from urllib.parse import urlencode

from benchagent.errors import RequestRefused, ServerSilent
from benchagent.server.client import Client

from .checked import checked, record
from .gate import GateAnswer, GateTest, answered, asked
from .requests import PAUSE, Requests
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
