"""What a comparison can be pivoted by. A dimension of a result differs inside a run, one of a run does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured
from benchdb.runs.sizes import say_size

Value = str | int | None


@dataclass(frozen=True)
class Dimension:
    """`of_result` or `of_run` takes the value; `say` prints it for people; None reads as `unknown` or `none`."""

    name: str
    label: str
    of_result: Callable[[Measured], Value] | None = None
    of_run: Callable[[Run], Value] | None = None
    say: Callable[[Any], str] = str
    absent: str = "unknown"

    def print(self, value: Value) -> str:
        """The value for people."""
        return self.absent if value is None else self.say(value)


def _joined(options: list[str]) -> str:
    return ",".join(options) or "defaults"


DIMENSIONS = {
    dimension.name: dimension
    for dimension in (
        Dimension("test", "test", of_result=lambda result: result.test, say=test_label),
        Dimension(
            "record_size", "record size", of_result=lambda r: r.record_size, say=say_size, absent="no record size"
        ),
        Dimension("file_size", "file size", of_result=lambda r: r.file_size, say=say_size, absent="no file size"),
        Dimension("threads", "threads", of_result=lambda result: result.threads, absent="1"),
        Dimension("file_system", "file system", of_run=lambda run: run.target.file_system),
        Dimension("mkfs_options", "mkfs options", of_run=lambda run: run.target.mkfs_options or "defaults"),
        Dimension("mount_options", "mount options", of_run=lambda run: _joined(run.target.mount_options)),
        Dimension("raid_level", "RAID level", of_run=lambda run: run.target.raid_level, absent="no RAID"),
        Dimension("raid_chunk", "RAID chunk", of_run=lambda r: r.target.raid_chunk, say=say_size, absent="no RAID"),
        Dimension("read_ahead", "read-ahead", of_run=lambda run: run.target.read_ahead, say=say_size),
        Dimension("scheduler", "scheduler", of_run=lambda run: run.target.scheduler),
        Dimension("disk", "disk", of_run=lambda run: run.target.disk_model),
        Dimension("kernel", "kernel", of_run=lambda run: run.environment.kernel_release),
        Dimension("memory", "memory", of_run=lambda run: run.environment.memory, say=say_size),
        Dimension("cpu", "CPU", of_run=lambda run: run.environment.cpu_model),
        Dimension("machine", "machine", of_run=lambda run: run.machine.name),
        Dimension("tool", "tool", of_run=lambda run: run.tool),
        Dimension("tool_version", "tool version", of_run=lambda run: run.tool_version),
        Dimension("cache", "cache regime", of_run=lambda run: run.cache_regime),
        Dimension("run", "run", of_run=lambda run: str(run.id)),
    )
}
# A table has one metric, because it has one unit and one direction.
METRIC = Dimension("metric", "metric", of_result=lambda result: result.metric, say=lambda name: name.replace("_", " "))
# These decide which cell a value stands in; a table must say what it does with each.
RESULT_DIMENSIONS = tuple(name for name, dimension in DIMENSIONS.items() if dimension.of_result)
METRIC_NAMES = tuple(METRICS)
