"""Writes the documents of a campaign into the spool, or elsewhere if the spool is full, and sends them."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchagent.documents.joined import differences, joined
from benchagent.documents.records import CampaignFrame, PointRecord
from benchagent.documents.run import document
from benchagent.documents.shape import RunDocument
from benchagent.errors import Rescued, SpoolError, UnsafeDirectory
from benchagent.plan.model import Plan
from benchagent.progress import Reporter
from benchagent.server.client import Client

from .store import PENDING, Spool
from .uploading import upload

# Bytes: the description of the machine for each point, and for each round the raw output of a tool that prints much.
# The output of a round is stored twice: when it is measured (rounds_file.py), and in the document.
POINT_BYTES, ROUND_BYTES = 64 * 1024, 2 * 64 * 1024
ROUNDS = 10  # assumed for a plan that is bounded by time
LEAST, MOST = 2**20, 2**28  # bytes
# Places for documents that the spool cannot take: disks first, memory last.
RESCUE_PLACES = ("/var/tmp", "~", "/tmp", "/dev/shm")


def expected_size(plan: Plan) -> int:
    """Bytes that the rounds of a plan and their documents are expected to take."""
    size = POINT_BYTES + ROUND_BYTES * (plan.rounds or ROUNDS)
    return min(max(LEAST, size * len(plan.points())), MOST)


class Keeper:
    """The documents of one campaign: `reserve` before measuring, `keep` after it, however it ended, then `deliver`."""

    def __init__(self, spool: Spool, tell: Reporter, rescue_places: Iterable[str] = RESCUE_PLACES) -> None:
        self._spool, self._tell, self._places = spool, tell, tuple(rescue_places)
        self._kept = self._rescued_count = 0  # documents
        self._rescues: list[Spool] = []
        self._why: SpoolError | None = None

    def reserve(self, plan: Plan) -> None:
        """Reserve space for the documents of a plan. Raises SpoolError if they could not be written later."""
        self._spool.reserve(expected_size(plan))

    def keep(self, records: Iterable[PointRecord], frame: CampaignFrame) -> None:
        """Write a document for each point that has a round. The failure of one document does not affect the others.

        Documents that are already in the spool, in any state, are not written again.

        Raises the first error, after the last record: SpoolError if there is no room anywhere, or that of a defect.
        """
        failure: Exception | None = None
        for record in records:
            if record.rounds and not self._spool.has(record.run_id):
                try:
                    self._keep(record, frame)
                except Exception as error:  # raised below, after the other points
                    failure = failure or error
        self._spool.release()
        if failure is not None:
            raise failure

    def deliver(self, client: Client | None) -> None:
        """Send all waiting documents, including those of earlier runs. Raises the errors of `upload`, and Rescued."""
        if client is not None:
            for spool in (*self._rescues, self._spool):
                upload(spool, client, spool.ids(PENDING), self._tell)
        if self._why is not None:
            places = " and ".join(str(spool.directory) for spool in self._rescues)
            raise Rescued(*self._why.args, self._rescued_count, self._kept, places, self._rescues[0].directory)

    def _keep(self, record: PointRecord, frame: CampaignFrame) -> None:
        run_id, point = record.run_id, record.point.id
        contents = self._continued(document(run_id, record, frame), record)
        rounds = len(contents["rounds"])
        try:
            self._spool.add(run_id, contents)
        except SpoolError as error:
            self._why = error
            path = str(self._rescued(run_id, contents))
            self._tell.event("rescued", run_id=run_id, point=point, rounds=rounds, path=path, why=str(error))
            self._rescued_count += 1
        else:
            self._tell.event("spooled", run_id=run_id, point=point, rounds=rounds)
        self._kept += 1

    def _continued(self, contents: RunDocument, record: PointRecord) -> RunDocument:
        """The document joined to the one that it continues; by itself if something differs, so that nothing is lost."""
        if record.earlier is None:
            return contents
        later: RunDocument = json.loads(json.dumps(contents))
        names = differences(record.earlier, later)
        if not names:
            return joined(record.earlier, later)
        earlier = record.earlier["run_id"]
        self._tell.event("not_joined", point=record.point.id, run_id=earlier, why=", ".join(names))
        return contents

    def _rescued(self, run_id: str, contents: RunDocument) -> Path:
        """Write the document elsewhere. Raises the spool's error if no other place takes the document."""
        for spool in self._rescue_spools():
            try:
                path = spool.add(run_id, contents)
            except SpoolError as error:
                self._tell.event("no_rescue", path=str(spool.directory), why=str(error))
                continue
            if spool not in self._rescues:
                self._rescues.append(spool)
            return path
        assert self._why is not None
        raise self._why

    def _rescue_spools(self) -> Iterator[Spool]:
        """Other spools: first those that already hold documents, then new ones."""
        yield from list(self._rescues)
        for parent in self._places:
            try:
                directory = tempfile.mkdtemp(prefix="benchagent-rescued-", dir=os.path.expanduser(parent))
                yield Spool(Path(directory))
            except (SpoolError, UnsafeDirectory, OSError) as error:
                self._tell.event("no_rescue", path=parent, why=str(error))
