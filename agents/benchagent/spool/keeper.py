"""Brings what was measured into the spool, or where there is room when the spool has none; then to the server."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchagent.documents.document import document
from benchagent.documents.records import Frame, Record
from benchagent.errors import Rescued, SpoolError
from benchagent.plan.model import Plan
from benchagent.progress import Reporter
from benchagent.server.client import Client

from .spool import PENDING, Spool
from .uploading import upload

# Documents are mostly raw output: what a large one of today's tools prints in a round, and the machine's description.
# A round takes it twice: as it is measured (shelf.py), and in its document.
EACH_POINT, EACH_ROUND = 64 * 1024, 2 * 64 * 1024
ROUNDS = 10  # of a plan that is bounded by time
LEAST, MOST = 2**20, 2**28
# Where documents go that the spool cannot take: disks first, memory last.
RESCUE_PLACES = ("/var/tmp", "~", "/tmp", "/dev/shm")


def expected_size(plan: Plan) -> int:
    """Bytes that the rounds of a plan and their documents may take."""
    each = EACH_POINT + EACH_ROUND * (plan.rounds or ROUNDS)
    return min(max(LEAST, each * len(plan.points())), MOST)


class Keeper:
    """The documents of one campaign. `reserve` before measuring, `keep` whatever ended it, `deliver` at last."""

    def __init__(self, spool: Spool, tell: Reporter, rescue_places: Iterable[str] = RESCUE_PLACES) -> None:
        self._spool, self._tell, self._places = spool, tell, tuple(rescue_places)
        self._kept = self._elsewhere = 0  # documents
        self._rescues: list[Spool] = []
        self._why: SpoolError | None = None

    def reserve(self, plan: Plan) -> None:
        """Raises SpoolError now, and not after hours, where the documents cannot be written."""
        self._spool.reserve(expected_size(plan))

    def keep(self, records: Iterable[Record], frame: Frame) -> None:
        """Write a document for each point that has a round. One that cannot be made or written costs no other one.

        A document that the spool has, whatever became of it, is left as it is.

        Raises SpoolError where there is no room anywhere, and what a defect raises, both after the last record.
        """
        failure: Exception | None = None
        for record in records:
            if record.rounds and not self._spool.has(record.run_id):
                try:
                    self._keep(record, frame)
                except Exception as error:  # raised below: the other points' rounds come first
                    failure = failure or error
        self._spool.release()
        if failure is not None:
            raise failure

    def deliver(self, client: Client | None) -> None:
        """Send what waits, documents of earlier runs too. Raises what `upload` raises, and Rescued."""
        if client is not None:
            for spool in (*self._rescues, self._spool):
                upload(spool, client, spool.ids(PENDING), self._tell)
        if self._why is not None:
            places = " and ".join(str(spool.directory) for spool in self._rescues)
            raise Rescued(*self._why.args, self._elsewhere, self._kept, places, self._rescues[0].directory)

    def _keep(self, record: Record, frame: Frame) -> None:
        run_id = record.run_id
        made = document(run_id, record, frame)
        facts = {"run_id": run_id, "point": record.point.id, "rounds": len(record.rounds)}
        try:
            self._spool.add(run_id, made)
        except SpoolError as error:
            self._why = error
            self._tell.event("rescued", **facts, path=str(self._rescued(run_id, made)), why=str(error))
            self._elsewhere += 1
        else:
            self._tell.event("spooled", **facts)
        self._kept += 1

    def _rescued(self, run_id: str, made: dict[str, object]) -> Path:
        """Write the document elsewhere. Raises the spool's error where nothing else takes it either."""
        for spool in self._elsewheres():
            try:
                path = spool.add(run_id, made)
            except SpoolError as error:
                self._tell.event("no_rescue", path=str(spool.directory), why=str(error))
                continue
            if spool not in self._rescues:
                self._rescues.append(spool)
            return path
        assert self._why is not None
        raise self._why

    def _elsewheres(self) -> Iterator[Spool]:
        """Spools that are not the spool, new ones after those that hold something."""
        yield from list(self._rescues)
        for place in self._places:
            try:
                directory = tempfile.mkdtemp(prefix="benchagent-rescued-", dir=os.path.expanduser(place))
                yield Spool(Path(directory))
            except (SpoolError, OSError) as error:
                self._tell.event("no_rescue", path=place, why=str(error))
