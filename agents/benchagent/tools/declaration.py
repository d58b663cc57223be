"""The declaration of a tool: for plans, for the agent that runs it, and for the server."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

from benchagent.formats.model import Parsed
from benchagent.formats.over_time import OverTime
from benchagent.toml.tables import Converter, Parameters, TomlTable


@dataclass(frozen=True)
class CommandContext:
    """The facts on which a command line depends besides the workload's parameters.

    `files` maps the names of files in the plan to their paths on this machine. Without `files` a command line has the
    plan's names; documents record this form, because it is the same on every machine.
    """

    seed: int
    root: bool
    files: Mapping[str, str] = field(default_factory=dict)

    def path(self, name: str) -> str:
        """The path of a file that a parameter names."""
        return self.files.get(name, name)


@dataclass(frozen=True)
class TextInPlan:
    """The text of a file that a plan has in its parameter `key`.

    The agent writes it to a file, and the parameter `file_key` with the file's `name` replaces `key`.
    """

    key: str
    file_key: str
    name: str
    text: str


def as_recorded(parameters: Mapping[str, object], _texts: Mapping[str, str]) -> Mapping[str, object]:
    """For a tool whose plans have the parameters that its runs record, without the digests of files."""
    return {name: value for name, value in parameters.items() if not name.endswith("_sha256")}


def seconds_of_parameters(parameters: Parameters) -> float | None:
    """For a tool that ends after the time in its parameters, or whose parameters have no time."""
    seconds = parameters.get("seconds")
    return float(seconds) if isinstance(seconds, (int, float)) else None


@dataclass(frozen=True)
class Switches:
    """How one test opens and flushes its file, as far as caches matter.

    `direct`: the file is opened with O_DIRECT. `synchronous`: each write waits for the device (O_SYNC, O_DSYNC).
    `flushed`: the measured time includes an fsync after the last write.
    """

    direct: bool = False
    synchronous: bool = False
    flushed: bool = False


def switches_of_parameters(_command: Sequence[str], parameters: Mapping[str, object], _test: str) -> Switches:
    """For a tool whose switches are all parameters and apply to all of its tests."""
    return Switches(
        direct=bool(parameters.get("direct")) and parameters.get("ioengine") != "mmap",  # fio's way to map files
        synchronous=str(parameters.get("sync")) in ("sync", "dsync", "1", "True"),
        flushed=any(parameters.get(name) for name in ("fsync", "fdatasync", "end_fsync")),
    )


def logical_bytes_in_evidence(parsed: Parsed) -> int | None:
    """For a tool that prints the bytes of each test: their sum, each line of its output counted once."""
    counted = [each for each in parsed.results if "logical_bytes" in each.evidence]
    by_line = {each.lines: each.evidence["logical_bytes"] for each in counted}
    return sum(int(count) for count in by_line.values()) if by_line else None


@dataclass(frozen=True)
class Tool:
    """A benchmark program. Its name in plans is also the name of the format that reads its output.

    In plans:
    - `read` reads and checks the parameters of one [[workloads]] table; faults go into the table.
    - `files` gives the parameters that name files beside the plan: True for a text, False for an archive.
    - `text_in_plan` gives the text of a file that is in the parameters themselves, if any.
    - `text_faults` and `served_faults` say why a file with this text is not run: on behalf of the machine's own user,
      and if a server has queued the plan. Each fault has its line.
    - `described_text` says what the tool does with such a text, in lines for people.
    - `of_text` gives parameters that such a text contains, to be recorded with those of the plan.
    - `paths` gives the absolute paths in such a text, which the tool may write.
    - `seconds` is the time that one round takes by its parameters; None if something else ends it.
    - `bytes_written` counts the bytes that one round writes, from the parameters and the memory for caches (bytes, or
      None); None if the parameters do not determine them.
    - `cold_fault` names the parameters that a plan with cold caches must have in place of these; None if none.
      `cold_text_faults` finds what its files must not contain then, each fault with its line.

    On the machine; the tool runs in the target's directory:
    - `arguments` turns parameters into the words after the program's name, `find` finds the program.
    - `packages` are the Debian packages with the program, `debian_section` is their section unless it is main;
      `explain` replaces the sentence about a missing program.
    - `artifact` names the raw output. With an exit code in `partial`, some tests failed, and the output shows which.
      Standard error is kept only for failures if it is mere `progress`.
    - `cold` gives the arguments of one or more invocations, each run after the caches were emptied; a tool without
      `cold` runs once. With `cold_option` on its command line a tool empties the caches before each test itself.
    - `logical_bytes` sums the bytes that the tests of one invocation requested; None if they are not known.
    - `series` reads what the tests did over time from files that the tool has written into its directory, beside the
      output that was parsed; times are those of CLOCK_MONOTONIC.
    - `with_series` adds results that follow from these series. They have no lines in its output.
    - `usage_is_of_test`: the usage of an invocation with a single test is evidence of this test.
    - `no_work` has the parameters that change the work of no result, each with the reason. All others are part of the
      identity of the results whose work they change.
    - `completed` adds to parsed results the parameters of the workload that change their work and are not in the
      output, as sizes or params; server and agent do so after each reading. Results of different work must differ.

    On the server:
    - `clock_resolution` is one tick of the tool's clock in seconds; None if it is not known.
    - `preferred`: tables show this tool first if a selection has equally many runs of several tools.
    - `headline_tests` are the tests that lists of runs and tables show first, `stdio_tests` those that use the C
      library's buffered functions (fread, putc), whose buffer hides the record size from the kernel.
    - `again` gives the parameters of a plan that repeats a run, from the recorded ones and the texts of the files that
      it read, by name; it raises ValueError with the reason if that is impossible.
    - `switches` gives the switches that apply to a test, from a recorded command line, the parameters and the test.

    `rank` orders lists of tools.
    """

    name: str
    program: str
    artifact: str
    read: Callable[[TomlTable], Parameters]
    arguments: Callable[[Parameters, CommandContext], list[str]]
    find: Callable[[], str | None]
    files: Callable[[Parameters], dict[str, bool]] = lambda _parameters: {}
    text_in_plan: Callable[[Parameters], TextInPlan | None] = lambda _parameters: None
    text_faults: Callable[[Parameters, str], list[str]] = lambda _parameters, _text: []
    served_faults: Callable[[Parameters, str], list[str]] = lambda _parameters, _text: []
    described_text: Callable[[Parameters, str], list[str]] = lambda _parameters, _text: []
    of_text: Callable[[str], Parameters] = lambda _text: {}
    paths: Callable[[str], list[str]] = lambda _text: []
    seconds: Callable[[Parameters], float | None] = seconds_of_parameters
    bytes_written: Callable[[Parameters, int | None], int | None] = lambda _parameters, _memory: None
    cold_fault: Callable[[Parameters], str | None] = lambda _parameters: None
    cold_text_faults: Callable[[str], list[str]] = lambda _text: []
    packages: tuple[str, ...] = ()
    debian_section: str = ""
    explain: Callable[[], str] | None = None
    partial: frozenset[int] = frozenset()
    progress: bool = False
    cold: Callable[[Parameters, CommandContext], list[list[str]]] | None = None
    cold_option: str | None = None
    logical_bytes: Callable[[Parsed], int | None] = logical_bytes_in_evidence
    usage_is_of_test: bool = False
    no_work: Mapping[str, str] = field(default_factory=dict)
    completed: Callable[[Parsed, Mapping[str, object]], Parsed] = lambda parsed, _parameters: parsed
    clock_resolution: float | None = None
    preferred: bool = False
    headline_tests: tuple[str, ...] = ()
    stdio_tests: frozenset[str] = frozenset()
    again: Callable[[Mapping[str, object], Mapping[str, str]], Mapping[str, object]] = as_recorded
    series: Callable[[Path, Parsed], list[OverTime]] = lambda _directory, _parsed: []
    with_series: Callable[[Parsed, Sequence[OverTime], Parameters], Parsed] = lambda parsed, _series, _parameters: (
        parsed
    )
    switches: Callable[[Sequence[str], Mapping[str, object], str], Switches] = switches_of_parameters
    rank: int = 100

    @property
    def missing(self) -> str:
        """The sentence for a person if `find` finds nothing."""
        if self.explain:
            return self.explain()
        if not self.packages:
            return f"{self.program} is not installed"
        section = f", in {self.debian_section}" if self.debian_section else ""
        return f"{self.program} is not installed (Debian package: {', '.join(self.packages)}{section})"

    @property
    def words(self) -> frozenset[str]:
        """The words of the tool's name in its output, in lower case, which are never private names of hosts."""
        return frozenset(re.findall("[a-z0-9]+", self.name.lower()))

    def command(self, parameters: Parameters, context: CommandContext) -> list[str]:
        """The command line with the program's bare name: the same on every machine and in every round."""
        return [self.program, *self.arguments(parameters, context)]

    def commands(self, parameters: Parameters, context: CommandContext, *, cold: bool) -> list[list[str]]:
        """The command lines of one round."""
        if not cold or self.cold is None:
            return [self.command(parameters, context)]
        return [[self.program, *arguments] for arguments in self.cold(parameters, context)]


def reader(
    parameters: Mapping[str, Converter], check: Callable[[TomlTable, Parameters], None]
) -> Callable[[TomlTable], Parameters]:
    """A `read` for a tool with one set of parameters; `check` adds the faults of parameters that conflict."""

    def read(table: TomlTable) -> Parameters:
        values = table.read_all(parameters)
        check(table, values)
        return values

    return read
