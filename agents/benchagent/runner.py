"""Runs a plan: round by round, each target prepared anew, everything that happened kept in records."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from . import inventory
from .errors import NothingMeasured, PreparationError
from .estimate import Estimate
from .measure import Bench, command_of, failed_preparation, files_of, read_preparation, run_tool
from .plan import PREPARATION, Plan, Point, Target, Visit
from .plan_files import in_plan_names
from .prepare import Place, prepared, why_not
from .progress import Reporter, counted
from .quantities import format_duration
from .records import Record, Round
from .tools import TOOLS, Context
from .workdir import WorkDirectory


class Runner:
    """One execution of one plan. `records` holds every point of the plan, at any time and whatever ends `measure`."""

    def __init__(
        self, plan: Plan, work: WorkDirectory, reporter: Reporter, source: inventory.Source, context: Context
    ) -> None:
        self._plan, self._work, self._reporter, self._source = plan, work, reporter, source
        self.records = {point.id: Record(point) for point in plan.points()}
        self._bench = Bench(context, plan.cache, source, inventory.scrubber(source).scrub, self._tick)
        self._positions = itertools.count()
        self._estimate = Estimate(plan, [])

    def measure(self, files: Mapping[str, str]) -> None:
        """Measure until the plan is over. Raises NothingMeasured where no point can be measured on this machine.

        `files` says where the files lie that the plan names; what is recorded has the plan's names.
        """
        self._skip_impossible()
        context, scrub = replace(self._bench.context, files=files), self._bench.scrub
        self._bench = replace(self._bench, context=context, scrub=lambda text: scrub(in_plan_names(text, files)))
        possible = [[target for target in block if self._possible(target)] for block in self._plan.blocks()]
        blocks = [tuple(block) for block in possible if block]
        if not blocks:
            raise NothingMeasured("every point was skipped, for the reasons above.")
        ids = [[point.id for target in block for point in self._possible(target)] for block in blocks]
        self._estimate = Estimate(self._plan, ids)
        self._reporter.event("started", plan=self._plan.name, points=sum(map(len, ids)), bound=_bound(self._plan))
        for index, block in enumerate(blocks):
            self._estimate.block_started(index)
            self._measure_block(block)

    def _measure_block(self, block: tuple[Target, ...]) -> None:
        begun = time.monotonic()
        for number in itertools.count(-self._plan.warm_ups):
            round_begun = time.monotonic()
            self._estimate.round_started(number)
            for visit in self._plan.visits(block, number):
                self._visit(visit)
            now = time.monotonic()
            self._tell("round_finished", round=_spoken(number), elapsed=now - round_begun)
            if self._plan.is_over(number + 1, now - begun):
                return

    def _visit(self, visit: Visit) -> None:
        points = [point for point in visit.points if self.records[point.id].skipped is None]
        try:
            self._starting(points[0], visit)
            with prepared(visit.target, self._work, self._tick) as place:
                self._look_at(place, points)
                while points:
                    self._keep(points[0], self._measure_point(points[0], place, visit), visit)
                    points.pop(0)
                    if points:
                        self._starting(points[0], visit)
        except (PreparationError, OSError) as error:
            if not points:
                raise  # everything was measured and could not be undone
            for point in points:
                self._keep(point, self._failed(point, str(error)), visit)

    def _measure_point(self, point: Point, place: Place, visit: Visit) -> Round:
        position = next(self._positions)
        if point.workload.tool == PREPARATION:
            scrub = self._bench.scrub
            return read_preparation(place, point.target.file_system, scrub, visit.round, position)
        return run_tool(point, place, self._bench, visit.round, position)

    def _failed(self, point: Point, error: str) -> Round:
        """A round of a point whose target could not be prepared."""
        words = self._bench.scrub(error)
        parsed = failed_preparation(words) if point.workload.tool == PREPARATION else None
        return Round(datetime.now(timezone.utc), 0.0, next(self._positions), parsed=parsed, error=words)

    def _keep(self, point: Point, measured: Round, visit: Visit) -> None:
        if visit.round >= 0:  # a warm-up is discarded
            self.records[point.id].rounds.append(measured)
        self._estimate.point_finished(point.id)
        facts = {"round": _spoken(visit.round), "point": point.id, "elapsed": measured.elapsed, "error": measured.error}
        self._tell("point_finished", **facts)

    def _look_at(self, place: Place, points: list[Point]) -> None:
        """Describe the prepared target, the first time each of its points meets it."""
        new = [self.records[point.id] for point in points if self.records[point.id].target is None]
        if not new:
            return
        target, state = inventory.target(str(place.directory), self._source)
        if place.notes:
            target["extra"]["rounded_by_the_kernel"] = list(place.notes)
        if place.aging is not None:
            state["aging"] = dict(place.aging)
        for record in new:
            record.target, record.state_before = target, state

    def _skip_impossible(self) -> None:
        """Mark the points that this machine cannot measure, and say why, once for each reason."""
        reasons: dict[str, list[str]] = {}
        for id_, record in self.records.items():
            record.skipped = why_not(record.point.target, self._work) or _why_no_tool(record.point)
            if record.skipped is not None:
                reasons.setdefault(record.skipped, []).append(id_)
            else:
                record.command = command_of(record.point, self._bench.context)
                record.files = files_of(record.point, self._bench.scrub)
        for why, points in reasons.items():
            self._reporter.event("skipped", points=points, why=why)

    def _possible(self, target: Target) -> list[Point]:
        return [point for point in self._plan.points_of(target) if self.records[point.id].skipped is None]

    def _starting(self, point: Point, visit: Visit) -> None:
        self._tell("point_started", round=_spoken(visit.round), point=point.id)

    def _tell(self, kind: str, **facts: Any) -> None:
        self._reporter.event(kind, **facts, left=self._estimate.left())

    def _tick(self) -> None:
        self._reporter.tick(self._estimate.left(), self._estimate.share())


def in_directory(plan: Plan, directory: Path) -> Plan:
    """The plan with all its directory targets in `directory`."""
    path = str(directory.absolute())
    targets = tuple(replace(each, path=path) if each.kind == "directory" else each for each in plan.targets)
    return replace(plan, targets=targets)


def _why_no_tool(point: Point) -> str | None:
    if point.workload.tool == PREPARATION:
        return None
    tool = TOOLS[point.workload.tool]
    return tool.missing if tool.find() is None else None


def _bound(plan: Plan) -> str:
    parts = [counted(plan.rounds, "round")] if plan.rounds is not None else []
    if plan.time_budget is not None:
        parts.append(
            f"until {format_duration(plan.time_budget)} are used up, at least {counted(plan.min_rounds, 'round')}"
        )
    return ", ".join(parts)


def _spoken(number: int) -> str:
    """Rounds as people count them."""
    return str(number + 1) if number >= 0 else "warm-up"
