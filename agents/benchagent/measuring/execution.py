"""Executes a plan: announces, measures, stores and ends its campaign. `run` and `serve` both use it.

All documents are in the spool before any is sent. An unreachable server delays the first round by seconds at most.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchagent import inventory
from benchagent.documents.campaign import AnnouncedCampaign, announcement, ending, tally
from benchagent.documents.ids import uuid7
from benchagent.documents.records import CampaignFrame, PointRecord
from benchagent.documents.shape import RunDocument
from benchagent.errors import AgentError, SpoolError, Stopped
from benchagent.plan.model import Plan
from benchagent.planning.files import placed
from benchagent.progress import Reporter
from benchagent.server.client import Client, NotNow, Patience
from benchagent.spool.campaigns import Campaigns
from benchagent.spool.delivering import campaigns_too, deliver
from benchagent.spool.keeper import Keeper
from benchagent.spool.killed_agents import keep_killed
from benchagent.spool.rounds_file import Shelf, beginning
from benchagent.spool.running_files import Running, RunningFile
from benchagent.spool.store import Spool
from benchagent.system.interrupts import held
from benchagent.targets.wipe_agreement import agree_on_wiping
from benchagent.targets.work_directory import WorkDirectory
from benchagent.tools import CommandContext

from .runner import Judge, Runner

HASTY = Patience(attempts=1, timeout=5.0, whole=10.0)  # for the announcement, before the first round


@dataclass(frozen=True)
class Setting:
    """Where a plan is executed, and the fields of its documents that do not come from the plan.

    `agreed` are the devices that may be formatted without a question, as given by --yes-wipe.
    """

    spool: Spool
    work: Path
    source: inventory.Source
    environment: inventory.Environment
    machine: inventory.MachineIdentity
    labels: Mapping[str, str] = field(default_factory=dict)
    visibility: str | None = None
    agreed: Collection[str] = ()


class Execution:
    """One campaign: `measure`, then `deliver`."""

    def __init__(
        self,
        plan: Plan,
        text: str,
        setting: Setting,
        client: Client | None,
        tell: Reporter,
        earlier: Mapping[str, RunDocument] | None = None,
        judge: Judge | None = None,
    ) -> None:
        """`earlier` are the documents that the points continue, by point; then there is no campaign of its own.

        `judge` is called after each round, as `Runner` says.
        """
        self._plan, self._text, self._setting, self._client, self._tell = plan, text, setting, client, tell
        self.campaign_id = uuid7()
        self._keeper = Keeper(setting.spool, tell)
        self._campaigns = Campaigns(setting.spool.directory)
        self._work = WorkDirectory(setting.work, plan.seed, plan.memory, setting.source)
        context = CommandContext(seed=plan.seed, root=os.geteuid() == 0)
        self._shelf = Shelf(setting.spool.make_room, self._unsaved)
        self._file: RunningFile | None = None
        self._runner = Runner(plan, self._work, tell, setting.source, context, self._shelf, judge)
        for point, document in (earlier or {}).items():
            self._runner.records[point].earlier = document
        self._continues = bool(earlier)
        self._frame = _frame(plan, setting, self.campaign_id)
        self._announced: AnnouncedCampaign | None = None

    @property
    def records(self) -> list[PointRecord]:
        return list(self._runner.records.values())

    def measure(self) -> None:
        """Measure the plan. An exception that stops it is raised again after the results are in the spool."""
        keep_killed(self._setting.spool, self._tell)
        self._keeper.reserve(self._plan)
        state, reason = "failed", None
        try:
            self._measure()
            state = "finished"
        except Stopped as stopped:
            state, reason = "stopped", str(stopped)
            self._tell.event("stopped")
            raise
        except AgentError as error:
            reason = str(error)
            raise
        except Exception as error:
            reason = f"a defect of the agent: {type(error).__name__}"
            raise
        finally:
            with held:
                self._keep(state, reason)

    def deliver(self) -> None:
        """Send the documents that wait in the spool. Raises the exceptions of `upload`, and Rescued."""
        if self._client is None:
            self._keeper.deliver(None)
            return
        with campaigns_too(self._setting.spool, self._client, self._tell):
            self._keeper.deliver(self._client)

    def _measure(self) -> None:
        with self._work.opened(lambda what: self._tell.event("cleared", what=what)):
            self._work.agreed = agree_on_wiping(self._plan, list(self._setting.agreed), self._work.source)
            self._runner.choose()
            self._announce()
            with placed(self._plan, self._work.path) as files:
                self._runner.measure(files)

    def _announce(self) -> None:
        scrub = inventory.scrubber(self._setting.source).scrub
        data = beginning(self._frame, self.records)
        with self._setting.spool.refusals():
            self._setting.spool.make_room(len(data))
        self._file = Running(self._setting.spool.directory).create(self.campaign_id, data)
        self._shelf.open(self._file)
        if self._continues:
            return
        self._announced = announcement(self._frame, self._text, self.records, scrub)
        self._campaigns.announce(self._announced)
        self._tell.event("announced", campaign_id=self.campaign_id, points=len(self.records))
        if self._client is not None:
            try:
                deliver(self._campaigns.announcements, self._client.with_patience(HASTY), self._tell)
            except NotNow as why:
                self._tell.event("unannounced", why=str(why))

    def _keep(self, state: str, reason: str | None) -> None:
        """Store the runs, then end the campaign, so that a fault of the campaign loses no run.

        The file of the rounds is removed only after all runs are stored.
        """
        kept = False
        try:
            self._keeper.keep(self._runner.records.values(), self._frame)
            kept = True
        finally:
            counts = tally(self.records)
            self._tell.event("finished", **counts)
            if self._announced is not None:
                scrub = inventory.scrubber(self._setting.source).scrub
                self._end(ending(self._announced, state, counts, reason and scrub(reason)), kept)
            elif self._file is not None:
                self._end(None, kept)

    def _end(self, document: AnnouncedCampaign | None, kept: bool) -> None:
        try:
            if document is not None:
                self._campaigns.end(document)
            if kept and self._file is not None:
                self._file.remove()
        except (SpoolError, OSError) as error:
            self._tell.event("unended", why=str(error))
        finally:
            if self._file is not None:
                self._file.release()

    def _unsaved(self, why: str) -> None:
        self._tell.event("unsaved", why=str(SpoolError(self._setting.spool.directory, why)))


def _frame(plan: Plan, setting: Setting, campaign_id: str) -> CampaignFrame:
    environment = setting.environment
    if plan.memory is not None:
        usable = environment["memory"]["usable"]
        usable = plan.memory if usable is None else min(usable, plan.memory)
        environment = {**environment, "memory": {**environment["memory"], "usable": usable}}
    return CampaignFrame(
        plan=plan,
        campaign_id=campaign_id,
        machine=setting.machine,
        environment=environment,
        labels=dict(setting.labels),
        visibility=setting.visibility,
    )
