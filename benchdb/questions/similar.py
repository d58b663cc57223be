"""Hardware like that of a machine, or as described: the kind of disk, memory and threads within a factor of two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchdb.http.requests import Reader
from benchdb.replica.reading import reading
from benchdb.runs.listing.facet_rows import kept
from benchdb.runs.listing.query import RunListQuery
from benchdb.runs.listing.search import listed
from benchdb.stats.arrays import FloatArray

from .facts import PLACES
from .query import Question

FACTOR = 2
# The first disk below the file system; "" if its kind is not known.
_SQL = """
SELECT f.id, coalesce(CASE
  WHEN d.disk->>'transport' = 'nvme' THEN 'nvme'
  WHEN d.disk->>'transport' IN ('virtio', 'xen', 'hyperv', 'vmware') THEN 'virtual'
  WHEN d.disk->>'rotational' = 'true' THEN 'rotational'
  WHEN d.disk->>'rotational' = 'false' THEN 'ssd'
END, '')
FROM runs_facets f
JOIN catalog_target t ON t.id = f.target_id
CROSS JOIN LATERAL (SELECT jsonb_path_query_first(t.facts, '$.stack[*] ? (@.kind == "disk")') AS disk) d
WHERE f.id = ANY(%s)
"""


class NoSuchMachine(Exception):
    """No run that the reader may list is of this machine."""


@dataclass(frozen=True, slots=True)
class Hardware:
    """What similar hardware is like; "" and None for what does not matter. `memory` is bytes."""

    disk_kind: str
    memory: int | None
    threads: int | None


@dataclass(frozen=True, slots=True)
class Similar:
    """The rows of `Facets` with similar hardware, and what that means."""

    rows: list[int]
    hardware: Hardware


def similar_rows(question: Question, rows: Sequence[int], reader: Reader) -> Similar | None:
    """Those of these rows that are similar; None if the question is about all hardware. At most three queries."""
    asked = Hardware(question.disk_kind, question.near_memory, question.near_threads)
    own = None
    if question.like is not None:
        own = _newest_row(question.like, reader)
    elif asked == Hardware("", None, None):
        return None
    ids = np.array(sorted({*rows, *([] if own is None else [own])}), dtype=np.int64)
    kinds = _disk_kinds(ids.tolist())
    memory, threads = _numbers("memory", ids), _numbers("cpu_threads", ids)
    if own is not None:
        place = int(np.searchsorted(ids, own))
        like = Hardware(kinds[place], _known(memory[place]), _known(threads[place]))
        asked = Hardware(asked.disk_kind or like.disk_kind, asked.memory or like.memory, asked.threads or like.threads)
    mask = np.isin(ids, rows)
    if asked.disk_kind:
        mask &= np.array([kind == asked.disk_kind for kind in kinds], dtype=bool)
    for numbers, wanted in ((memory, asked.memory), (threads, asked.threads)):
        if wanted is not None:
            mask &= (numbers * FACTOR >= wanted) & (numbers <= wanted * FACTOR)  # not if it is unknown
    return Similar(ids[mask].tolist(), asked)


def _newest_row(machine: int, reader: Reader) -> int:
    states = listed(reader, RunListQuery()).filter(run__machine=machine, facets__isnull=False)
    row = states.order_by("-run").values_list("facets", flat=True).first()
    if row is None:
        raise NoSuchMachine(str(machine))
    return int(row)


def _disk_kinds(ids: Sequence[int]) -> list[str]:
    """The kind of disk of each row."""
    with reading().cursor() as cursor:
        cursor.execute(_SQL, [list(ids)])
        found: dict[int, str] = dict(cursor.fetchall())
    return [found.get(row, "") for row in ids]


def _numbers(name: str, ids: np.ndarray[tuple[int], np.dtype[np.int64]]) -> FloatArray:
    """A facet with numbers by row; NaN for unknown ones."""
    rows, places = kept.rows(ids)
    values = rows.values[PLACES[name]]
    known = np.array([np.nan if value[0] is None else float(value[0]) for value in values] or [np.nan])
    codes = rows.codes[PLACES[name]]
    return np.array([known[codes[place]] if place >= 0 else np.nan for place in places.tolist()], dtype=np.float64)


def _known(number: float) -> int | None:
    return None if np.isnan(number) else int(number)
