"""The selection of a trend. It holds only the query string of its page; parse and print are inverse."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self
from urllib.parse import urlencode
from uuid import UUID

from django.http import QueryDict

from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.parameters import SelectionReader
from benchdb.facts.registry import DIMENSIONS
from benchdb.wording.sizes import print_size

MOST_SERIES = 7  # as many colours as people can tell apart
AXES = {"time": "time", "kernel": "kernel"}
# The facts of the target that all runs of a series share, by name, unless the selection lets them vary.
FIXED = {fact.name: fact for fact in DIMENSIONS if (fact.chosen and fact.name != "file_system") or fact.name == "disk"}


@dataclass(frozen=True)
class TrendSelection:
    """The parameters of a trend; BenchDB chooses empty ones from the results of the runs.

    The workload is that of `run`, or of the newest run on `machine` (with `tool`). `params` is the canonical JSON of a
    result's own parameters; `before` shows the runs before that one.
    """

    run: UUID | None = None
    machine: int | None = None
    tool: str = ""
    file_systems: tuple[str, ...] = ()
    test: str = ""
    metric: str = ""
    file_size: int | None = None
    record_size: int | None = None
    threads: int | None = None
    params: str = ""
    by: str = "time"
    vary: tuple[str, ...] = ()
    unit: str = ""
    before: UUID | None = None

    @classmethod
    def parse(cls, query: str) -> Self:
        """The selection of a query string. Raises ImpossibleSelection with every fault."""
        return cls.from_query(QueryDict(query))

    @classmethod
    def from_query(cls, query: QueryDict) -> Self:
        """The selection of Django's parsed query. Raises ImpossibleSelection with every fault."""
        reader = SelectionReader(query)
        metric = reader.metric()
        selection = cls(
            run=_single_uuid(reader, "run"),
            machine=reader.number("machine"),
            tool=reader.text("tool"),
            file_systems=reader.texts("file_system"),
            test=reader.text("test"),
            metric=metric,
            file_size=reader.size("file_size"),
            record_size=reader.size("record_size"),
            threads=reader.number("threads"),
            params=_params(reader),
            by=reader.choice("by", AXES, "time"),
            vary=_vary(reader),
            unit=reader.unit_of(metric),
            before=_single_uuid(reader, "before"),
        )
        _check(reader, selection)
        reader.refuse_unknown(_PARAMETERS)
        if reader.faults:
            raise ImpossibleSelection(reader.faults)
        return selection

    def query(self) -> str:
        """The query string."""
        return urlencode(self.pairs())

    def pairs(self) -> list[tuple[str, str]]:
        """The pairs of the query string, without open parameters and defaults."""
        pairs = [("run", str(self.run))] if self.run else []
        pairs += [("machine", str(self.machine))] if self.machine is not None else []
        pairs += [("tool", self.tool)] if self.tool else []
        pairs += [("file_system", name) for name in self.file_systems]
        pairs += [(name, value) for name in ("test", "metric", "params", "unit") if (value := getattr(self, name))]
        sizes = {"file_size": self.file_size, "record_size": self.record_size}
        pairs += [(name, print_size(size)) for name, size in sizes.items() if size is not None]
        pairs += [("threads", str(self.threads))] if self.threads is not None else []
        pairs += [("by", self.by)] if self.by != "time" else []
        pairs += [("vary", name) for name in self.vary]
        return [*pairs, ("before", str(self.before))] if self.before else pairs

    def replace(self, **changes: Any) -> Self:
        """The selection with other values in these fields."""
        return replace(self, **changes)


_PARAMETERS = {"file_system"} | {setting.name for setting in fields(TrendSelection)} - {"file_systems"}


def _single_uuid(reader: SelectionReader, name: str) -> UUID | None:
    ids = reader.uuids(name)
    if len(ids) > 1:
        reader.faults.append(f"{name} is given {len(ids)} times; a trend goes out from one run.")
    return ids[0] if ids else None


def _vary(reader: SelectionReader) -> tuple[str, ...]:
    names = reader.texts("vary")
    if unknown := [name for name in names if name not in FIXED]:
        reader.faults.append(f"vary cannot be {', '.join(map(repr, unknown))}; possible are {', '.join(FIXED)}.")
    return tuple(name for name in names if name in FIXED)


def _params(reader: SelectionReader) -> str:
    """The canonical form of the JSON, so that equal parameters have one address."""
    text = reader.text("params")
    try:
        params = json.loads(text) if text else {}
    except (ValueError, RecursionError):  # RecursionError: a thousand nested brackets
        params = None
    if not isinstance(params, dict):
        reader.faults.append(f'params cannot be {text!r}; it is a JSON object such as {{"view": "min"}}.')
        return ""
    return canonical(params) if text else ""


def canonical(params: Mapping[str, object]) -> str:
    """A result's own parameters as one text: `{"view":"min"}`."""
    return json.dumps(params, sort_keys=True, separators=(",", ":"))


def _check(reader: SelectionReader, selection: TrendSelection) -> None:
    if selection.run is None and selection.machine is None and not reader.faults:
        reader.faults.append("Name a run (run=ID, as in the addresses of runs) or a machine (machine=NUMBER).")
    if selection.run is not None and (selection.machine is not None or selection.tool):
        reader.faults.append("run says machine and tool already: give run, or machine and tool.")
    if len(selection.file_systems) > MOST_SERIES:
        reader.faults.append(f"{len(selection.file_systems)} file systems are more than {MOST_SERIES} lines can show.")
