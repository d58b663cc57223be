"""Measures maintenance of a file system: reading its device, remounting and checking it. See docs/agents.md."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime, timezone

from benchagent.documents.records import Round
from benchagent.filesystems import named
from benchagent.inventory.target import state
from benchagent.plan.maintenance import MAINTENANCE, MAINTENANCE_TESTS
from benchagent.plan.model import Point, Workload
from benchagent.system.programs import find_program, version_of
from benchagent.targets.prepared_target import PreparedTarget
from benchagent.tools import fsload

from .evidence import together
from .maintenance_tests import CHECKS, Upkeep, fill_command
from .step_times import Transcript
from .tool_round import Bench, joined, tidied, watching

ARTIFACT, FILLED = "maintenance.txt", "fill.jsonl"


def tests_of(workload: Workload) -> list[str]:
    """The tests of the workload, in the order in which they are measured."""
    wanted = workload.parameters.get("tests")
    return [test for test in MAINTENANCE_TESTS if not isinstance(wanted, list) or test in wanted]


def why_no_maintenance(point: Point) -> str | None:
    """Why this machine cannot measure the point; None if it can."""
    if not point.target.is_made:
        return "maintenance tests need an image or a device: a directory cannot be unmounted and checked"
    if "fill" in point.workload.parameters and fsload.TOOL.find() is None:
        return fsload.TOOL.missing
    if not CHECKS.intersection(tests_of(point.workload)):
        return None
    file_system = named(point.target.file_system)
    checker = file_system.checker
    if checker is None:
        return f"there is no supported program that checks {point.target.file_system}; leave out the fsck tests"
    missing = f"{checker.program} is not installed (Debian package: {file_system.package})"
    return None if find_program(checker.program) else missing


def commands_of(point: Point, bench: Bench) -> tuple[str, ...]:
    """The recorded commands in their order; without the device, because its number is not a setting."""
    tests, commands = tests_of(point.workload), list[Sequence[str]]()
    if "fill" in point.workload.parameters:
        commands.append(fill_command(point.workload.parameters, bench.context))
    if "remount" in tests:
        commands += [["umount"], ["mount", "-t", point.target.file_system]]
    checker = named(point.target.file_system).checker
    commands += [(checker.program, *checker.arguments[test]) for test in tests if test in CHECKS and checker]
    return joined(commands)


def maintain(point: Point, prepared_target: PreparedTarget, bench: Bench, number: int, position: int) -> Round:
    """Measure each test once. A test that fails is a failed result; the file system is mounted again afterwards.

    Raises PreparationError if it cannot be mounted again.
    """
    transcript = Transcript(bench.scrub)
    started_at, started = datetime.now(timezone.utc), time.monotonic()
    folder = f"round-{number + 1}"
    with watching(bench, ours=True) as watch, tidied(prepared_target.directory) as left:
        upkeep = Upkeep(point, prepared_target, bench, watch, transcript)
        outputs, error = upkeep.fill(f"{folder}/{FILLED}")
        filled = bench.source.path(str(prepared_target.directory)) if outputs else None
        for test in tests_of(point.workload) if error is None else ():
            upkeep.measure(test)
        evidence = watch.seen(together(upkeep.used), upkeep.devices.disks)
    checker = named(point.target.file_system).checker
    reading = transcript.reading(
        f"{folder}/{ARTIFACT}", MAINTENANCE, version_of(checker.program, checker.version) if checker else None
    )
    return Round(
        started_at=started_at,
        elapsed=time.monotonic() - started,
        position=position,
        readings=(reading,),
        error=error or left.error,
        evidence=evidence,
        artifacts=(transcript.output(reading.artifact), *outputs),
        filled=None if filled is None else state(filled),
    )
