"""The tests of `maintenance`. The file system is mounted before and after each test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Callable

from benchagent.documents.records import RawOutput
from benchagent.filesystems import named
from benchagent.formats import Result
from benchagent.formats.model import Param
from benchagent.inventory.mounts import parse_mountinfo
from benchagent.inventory.storage import raid
from benchagent.inventory.storage.block import device_by_name, name_of
from benchagent.inventory.storage.mapper import is_mapped
from benchagent.inventory.storage.underlying import lowest_single
from benchagent.plan.model import Point
from benchagent.system.interrupts import held
from benchagent.system.process import Outcome, run
from benchagent.system.programs import find_program
from benchagent.targets import loop
from benchagent.targets.prepared_target import Mounted, PreparedTarget
from benchagent.toml.tables import Parameters
from benchagent.tools import CommandContext, fsload
from benchagent.tools.values import number

from .evidence import MachineWatch, Usage, device_bytes, devices_of, moved, together, usage
from .power_cut import go_down, write_files
from .raw_read import BLOCK, raw_read
from .step_times import TestParams, Transcript
from .tool_round import MEDIA_TYPES, Bench

FILES, IN_A_DIRECTORY = 2**20, 1000  # defaults of fsload bulk: bytes of a file, files in a directory
CHECKS = frozenset(("fsck_clean", "fsck_forced", "fsck_dirty"))
NO_CRASH = "this kernel cannot shut down {}, and only of an image, not of a device, can a copy be taken in its place"


def fill_command(parameters: Parameters, context: CommandContext) -> list[str]:
    """The command that fills the file system before it is measured."""
    option_names = {"fill": "total_size", "file_size": "file_size", "files_per_directory": "files_per_directory"}
    options = {name: parameters[key] for key, name in option_names.items() if key in parameters}
    return [*fsload.TOOL.command({"command": "bulk", **options}, context), "--keep"]


def filled(parameters: Parameters) -> dict[str, Param]:
    """The params of tests whose work depends on the files of `fill`; none without it."""
    if "fill" not in parameters:
        return {}
    return {
        "fill": number(parameters, "fill"),
        "fill_file_size": number(parameters, "file_size", FILES),
        "fill_files_per_directory": number(parameters, "files_per_directory", IN_A_DIRECTORY),
    }


class Upkeep:
    """One round of tests. `used` has the resources that each program used."""

    def __init__(
        self, point: Point, prepared_target: PreparedTarget, bench: Bench, watch: MachineWatch, transcript: Transcript
    ) -> None:
        if prepared_target.mounted is None:
            raise AssertionError("why_no_maintenance() lets nothing pass that cannot be unmounted")
        self._mounted: Mounted = prepared_target.mounted
        self._point, self._prepared_target, self._bench, self._watch = point, prepared_target, bench, watch
        self._transcript = transcript
        self.devices = devices_of(prepared_target.directory, bench.source)
        self.used: list[Usage] = []
        self._filled = filled(point.workload.parameters)

    def fill(self, name: str) -> tuple[tuple[RawOutput, ...], str | None]:
        """Create the files of `fill`. Returns the program's output as artifact `name`, and why it failed or None."""
        if "fill" not in self._point.workload.parameters:
            return (), None
        with self._counted() as outcomes:
            outcome = run(
                fill_command(self._point.workload.parameters, self._bench.context),
                executable=fsload.TOOL.find(),
                directory=self._prepared_target.directory,
                timeout=self._point.workload.timeout,
                tick=self._bench.tick,
                control_group=self._prepared_target.control_group,
            )
            outcomes.append(outcome)
        output = RawOutput(name, MEDIA_TYPES[".jsonl"], self._bench.scrub(outcome.stdout))
        return (output,), None if outcome.ok else self._bench.scrub(outcome.error)

    def measure(self, test: str) -> None:
        tests: dict[str, Callable[[], None]] = {
            "raw_read": self._raw_read,
            "remount": self._remount,
            "fsck_dirty": self._check_dirty,
        }
        tests.get(test, lambda: self._check_unmounted(test))()

    def _raw_read(self) -> None:
        source = self._bench.source
        mounts = parse_mountinfo(source.text("/proc/self/mountinfo") or "")
        top = device_by_name(source, Path(self._mounted.node).name) or ""
        device = lowest_single(source, mounts, top)
        kind = "raid" if raid.is_array(source, device) else "volume" if is_mapped(source, device) else "disk"
        params = {"device": "loop" if source.exists(f"{device}/loop") else kind}
        node = f"/dev/{name_of(device)}"
        self._transcript.say(f"reading {node} from its beginning, around the page cache")
        try:
            reading = raw_read(node, self._bench.tick)
        except OSError as error:
            self._transcript.failed("raw_read", f"{node}: {error.strerror}", params)
            return
        result = Result("raw_read", "throughput", "B/s", (reading.throughput,), None, BLOCK, params=params)
        self._transcript.say(f"{reading.length} bytes in {reading.seconds:.6f} s")
        self._transcript.measured(result._replace(evidence=reading.used))

    def _remount(self) -> None:
        with self._counted() as outcomes:
            outcomes.append(self._unmount())
            if self._bench.cold:
                self._mounted.drop()
            outcomes.append(self._mounted.mount().outcome)
        self._keep("remount", outcomes, self._filled, self.used[-1])

    def _check_unmounted(self, test: str) -> None:
        self._mounted.unmount()
        self._check(test, self._mounted.node)
        self._mounted.mount()

    def _check_dirty(self) -> None:
        """Check the file system after a simulated crash, or a copy of the mounted image."""
        hold = named(self._point.target.file_system).hold
        if hold and self._point.target.kind == "image":
            loop.tool("mount", "-o", hold, self._mounted.node, str(self._mounted.point))
        try:
            write_files(self._mounted.point)
            with self._watch.expecting_trouble():
                crashed = go_down(self._mounted.point)
                if crashed:
                    self._mounted.unmount()
        except OSError as error:
            self._transcript.failed("fsck_dirty", error.strerror or str(error), self._filled)
            return
        if crashed:
            self._check("fsck_dirty", self._mounted.node, {"dirty": "shutdown"}, replay=True)
        elif self._point.target.kind == "image":
            with self._copied() as copy:
                self._check("fsck_dirty", str(copy), {"dirty": "copy"})
            self._mounted.unmount()
        else:
            reason = NO_CRASH.format(self._point.target.file_system)
            self._transcript.failed("fsck_dirty", reason, self._filled)
            return
        self._mounted.mount()

    def _check(self, test: str, device: str, params: TestParams = None, *, replay: bool = False) -> None:
        """Measure the check, with the mount and unmount before it if the log must be replayed."""
        checker, params = named(self._point.target.file_system).checker, {**self._filled, **(params or {})}
        assert checker is not None, "why_no_maintenance() lets nothing pass that cannot be checked"
        if self._bench.cold:
            self._mounted.drop()
        with self._counted() as outcomes:
            if replay and checker.replays:
                outcomes += [self._mounted.mount().outcome, self._unmount()]
            command, timeout = (checker.program, *checker.arguments[test], device), self._point.workload.timeout
            outcomes.append(
                run(command, executable=find_program(checker.program), timeout=timeout, tick=self._bench.tick)
            )
        last = outcomes[-1]
        if last.returncode in checker.whole and not last.timed_out:
            # The target's device does not count if the check read something else.
            self._keep(test, outcomes, params, self.used[-1] if device == self._mounted.node else None)
            return
        for outcome in outcomes:
            self._transcript.ran(outcome)
        self._transcript.failed(test, last.error, params)

    def _keep(self, test: str, outcomes: Sequence[Outcome], params: TestParams, used: Usage | None) -> None:
        for outcome in outcomes:
            self._transcript.ran(outcome)
        self._transcript.timed(test, outcomes, params, used)

    def _unmount(self) -> Outcome:
        """Unmount as Mounted does, but timed."""
        with held:
            return loop.tool("umount", str(self._mounted.point))

    @contextmanager
    def _counted(self) -> Iterator[list[Outcome]]:
        """Add to `used` the usage of the programs whose outcomes the `with` block appends to the list."""
        outcomes: list[Outcome] = []
        before = device_bytes(self.devices.numbers)
        yield outcomes
        after = device_bytes(self.devices.numbers)
        sums = together(usage(outcome, None, None) for outcome in outcomes)
        self.used.append({**sums, **moved(before, after)})

    @contextmanager
    def _copied(self) -> Iterator[Path]:
        """A copy of the image, taken while it is mounted."""
        node = Path(self._mounted.node).name
        image = Path((self._bench.source.text(f"/sys/block/{node}/loop/backing_file") or "").rstrip("\n"))
        copy = image.with_suffix(".copy")
        try:
            loop.tool("cp", "--sparse=always", "--reflink=auto", str(image), str(copy))
            yield copy
        finally:
            copy.unlink(missing_ok=True)
