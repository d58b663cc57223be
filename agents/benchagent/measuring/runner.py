"""Runs a plan round by round; each target is prepared anew for each round, and all rounds are kept in records."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Protocol

from benchagent import inventory
from benchagent.documents.ids import uuid7
from benchagent.documents.records import PointRecord, Round, RoundEvidence
from benchagent.errors import NothingMeasured, PreparationError
from benchagent.plan.maintenance import MAINTENANCE
from benchagent.plan.model import PREPARATION, Plan, Point, Target, Visit
from benchagent.planning.files import in_plan_names
from benchagent.planning.precision import FEWEST, Precision, precision
from benchagent.progress import EventFacts, Reporter, counted
from benchagent.spool.rounds_file import Shelf, StoredRounds
from benchagent.targets.prepare import prepared
from benchagent.targets.prepared_target import PreparedTarget, StepFailed
from benchagent.targets.work_directory import WorkDirectory
from benchagent.toml.quantities import format_duration
from benchagent.tools import CommandContext

from .estimate import Estimate
from .maintenance import maintain
from .points import recorded_command, recorded_parameters, why_not_measured
from .step_times import failed_preparation, read_preparation
from .tool_round import Bench, files_of, run_tool, watching

if TYPE_CHECKING:
    from typing import Unpack  # novm # only the type checker reads it


class Judge(Protocol):
    """Called after each round with all records and the number of rounds; `over` if the plan ends by itself."""

    def __call__(self, records: Sequence[PointRecord], rounds: int, /, *, over: bool) -> bool: ...


class Runner:
    """One execution of one plan. `records` always holds every point of the plan, even if `measure` fails."""

    def __init__(
        self,
        plan: Plan,
        work: WorkDirectory,
        reporter: Reporter,
        source: inventory.Source,
        context: CommandContext,
        shelf: Shelf | None = None,
        judge: Judge | None = None,
    ) -> None:
        """Rounds are stored in `shelf`, which keeps them in memory as long as it has no file.

        `judge` ends the rounds if it returns True.
        """
        self._judge = judge
        self._plan, self._work, self._reporter, self._source = plan, work, reporter, source
        self._shelf = shelf or Shelf()
        points = plan.points()
        ids = sorted(uuid7() for _ in points)  # sorted, so that the spool has the plan's order
        self.records = {
            point.id: PointRecord(point, StoredRounds(self._shelf, point.id), run_id)
            for point, run_id in zip(points, ids)
        }
        self._bench = Bench(context, plan.cache, source, inventory.scrubber(source).scrub, self._tick)
        self._positions = itertools.count(plan.measured)
        self._estimate = Estimate(plan, [])

    def measure(self, files: Mapping[str, str]) -> None:
        """Measure the points that `choose` did not skip. Raises NothingMeasured if there are none.

        `files` maps the plan's names of its files to their paths; records have the plan's names.
        """
        context, scrub = replace(self._bench.context, files=files), self._bench.scrub
        self._bench = replace(self._bench, context=context, scrub=lambda text: scrub(in_plan_names(text, files)))
        possible = [[target for target in block if self._possible(target)] for block in self._plan.blocks()]
        blocks = [tuple(block) for block in possible if block]
        if not blocks:
            raise NothingMeasured("every point was skipped, each with a reason.")
        ids = [[point.id for target in block for point in self._possible(target)] for block in blocks]
        self._estimate = Estimate(self._plan, ids)
        self._reporter.event("started", plan=self._plan.name, points=sum(map(len, ids)), bound=_bound(self._plan))
        for index, block in enumerate(blocks):
            self._estimate.block_started(index)
            self._measure_block(block)

    def _measure_block(self, block: tuple[Target, ...]) -> None:
        started = time.monotonic()
        for number in itertools.count(-self._plan.warm_ups):
            round_begun = time.monotonic()
            self._estimate.round_started(number)
            for visit in self._plan.visits(block, number):
                self._visit(visit)
            now = time.monotonic()
            achieved = self._precision(block, number + 1)
            label = _round_label(number + self._plan.done if number >= 0 else number)
            facts: EventFacts = {"round": label, "elapsed": now - round_begun}
            facts.update(_precision_facts(achieved))
            self._tell("round_finished", **facts)
            over = self._plan.is_over(number + 1, now - started, precise=achieved is not None and achieved.reached)
            judge, records = self._judge, list(self.records.values())
            decided = judge is not None and number >= 0 and judge(records, number + 1, over=over)
            if over or decided:
                self._ended(block, number + 1, achieved, decided=decided)
                return

    def _precision(self, block: tuple[Target, ...], rounds: int) -> Precision | None:
        """The precision of the block's results so far; None if the plan has no `precision` or after too few rounds."""
        if self._plan.precision is None or rounds < FEWEST:
            return None
        points = [point for target in block for point in self._possible(target)]
        achieved = precision((self.records[point.id] for point in points), self._plan.precision)
        self._estimate.rounds_expected(achieved.rounds)
        return achieved

    def _ended(self, block: tuple[Target, ...], rounds: int, achieved: Precision | None, *, decided: bool) -> None:
        """Record why the block ended: its verdicts, its precision, or the first limit of the plan."""
        if decided:
            why = "verdicts"
        elif achieved is not None and achieved.reached:
            why = "precision"
        else:
            why = "rounds" if self._plan.rounds is not None and rounds >= self._plan.rounds else "time_budget"
        ended = [self.records[point.id] for target in block for point in self._possible(target)]
        for record in ended:
            record.ended_by = why
        self._shelf.note(ended)

    def _visit(self, visit: Visit) -> None:
        points = [point for point in visit.points if self.records[point.id].skipped is None]
        try:
            self._starting(points[0], visit)
            with watching(self._bench, ours=True) as watch, prepared(visit.target, self._work, self._tick) as target:
                preparation_evidence = watch.seen({})
                self._describe(target, points)
                while points:
                    self._keep(points[0], self._measure_point(points[0], target, visit, preparation_evidence), visit)
                    points.pop(0)
                    if points:
                        self._starting(points[0], visit)
        except (PreparationError, OSError) as error:
            if not points:
                raise  # all points were measured, but the target could not be cleaned up
            for point in points:
                self._keep(point, self._failed(point, error), visit)

    def _measure_point(
        self, point: Point, prepared_target: PreparedTarget, visit: Visit, evidence: RoundEvidence
    ) -> Round:
        """Measure the point once. `evidence` is of the preparation, for the point that records it."""
        position = next(self._positions)
        if point.workload.tool == PREPARATION:
            scrub = self._bench.scrub
            return read_preparation(prepared_target, point.target.file_system, scrub, visit.round, position, evidence)
        measure = maintain if point.workload.tool == MAINTENANCE else run_tool
        return measure(point, prepared_target, self._bench, visit.round, position)

    def _failed(self, point: Point, error: Exception) -> Round:
        """A round of a point whose target could not be prepared."""
        words = self._bench.scrub(str(error))
        test = error.test if isinstance(error, StepFailed) else PREPARATION
        readings = (failed_preparation(test, words),) if point.workload.tool == PREPARATION else ()
        return Round(datetime.now(timezone.utc), 0.0, next(self._positions), readings, error=words)

    def _keep(self, point: Point, measured: Round, visit: Visit) -> None:
        if visit.round >= 0:  # a warm-up is discarded
            self.records[point.id].rounds.append(measured)
        self._estimate.point_finished(point.id)
        self._tell(
            "point_finished",
            round=_round_label(visit.round),
            point=point.id,
            elapsed=measured.elapsed,
            error=measured.error,
        )

    def _describe(self, prepared_target: PreparedTarget, points: list[Point]) -> None:
        """Describe the prepared target in the records of its points, in their first round only."""
        new = [self.records[point.id] for point in points if self.records[point.id].target is None]
        if not new:
            return
        target, state = inventory.target(str(prepared_target.directory), self._source)
        if prepared_target.notes:
            target["extra"]["rounded_by_the_kernel"] = list(prepared_target.notes)
        if prepared_target.aging is not None:
            state["aging"] = prepared_target.aging
        for record in new:
            record.target, record.state_before = target, state
        self._shelf.note(new)

    def choose(self) -> None:
        """Skip the points that this machine cannot measure, and report each reason once."""
        reasons: dict[str, list[str]] = {}
        for id_, record in self.records.items():
            record.skipped = why_not_measured(record.point, self._work, self._bench)
            if record.skipped is not None:
                reasons.setdefault(record.skipped, []).append(id_)
            else:
                record.command = recorded_command(record.point, self._bench)
                record.parameters = recorded_parameters(record.point, self._bench.scrub)
                record.files = files_of(record.point, self._bench.scrub)
        for why, points in reasons.items():
            self._reporter.event("skipped", points=points, why=why)

    def _possible(self, target: Target) -> list[Point]:
        return [point for point in self._plan.points_of(target) if self.records[point.id].skipped is None]

    def _starting(self, point: Point, visit: Visit) -> None:
        self._tell("point_started", round=_round_label(visit.round), point=point.id)

    def _tell(self, kind: str, **facts: Unpack[EventFacts]) -> None:
        facts["left"] = self._estimate.left()
        self._reporter.event(kind, **facts)

    def _tick(self) -> None:
        self._reporter.tick(self._estimate.left(), self._estimate.share())


def _bound(plan: Plan) -> str:
    parts = [f"until all results are known to ± {plan.precision:.1%}"] if plan.precision is not None else []
    if plan.rounds is not None:
        parts.append(("at most " if parts else "") + counted(plan.rounds, "round"))
    if plan.time_budget is not None:
        parts.append(
            f"until {format_duration(plan.time_budget)} are used up, at least {counted(plan.min_rounds, 'round')}"
        )
    return ", ".join(parts)


def _precision_facts(achieved: Precision | None) -> EventFacts:
    """The facts about precision for the event that ends a round."""
    if achieved is None:
        return {}
    ratio = achieved.ratio if math.isfinite(achieved.ratio) else None
    return {"results": achieved.counted, "unsettled": achieved.unsettled, "widest": achieved.widest, "ratio": ratio}


def _round_label(number: int) -> str:
    """The number of a round for messages, from 1; `warm-up` for rounds before the first."""
    return str(number + 1) if number >= 0 else "warm-up"
