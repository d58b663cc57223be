"""Shows the progress of a command: a bar on a terminal, plain lines elsewhere, JSON events for programs."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Callable, Protocol, TextIO, TypedDict

from benchagent.toml.quantities import format_duration

if TYPE_CHECKING:
    from typing import Unpack  # novm # only the type checker reads it

EVENTS = "benchagent.events/1"
BAR, SHORTEST_BAR = 24, 8  # characters
# What JSON does not escape: control characters, marks that change the direction of writing, and halves of surrogate
# pairs; and the first sign of `##[`, which begins a command of GitHub Actions anywhere in a line.
UNSAFE_IN_JSON = re.compile(r"[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]|#(?=#\[)")
# What controls a terminal, and `::`, which begins such a command at the beginning of a line, also after blanks. Texts
# of tools, users and servers may contain any of them.
CONTROL = re.compile(rf"[\x00-\x08\x0b-\x1f]|{UNSAFE_IN_JSON.pattern}|^[^\S\n]*::", re.MULTILINE)


class EventFacts(TypedDict, total=False):
    """The facts of all events; each kind has some of them. Times are seconds.

    `points` is a number, or the ids of the points that are skipped. `round` counts from 1, or is `warm-up`.
    """

    format: str
    plan: str
    points: int | Sequence[str]
    bound: str
    what: str
    work_dir: str
    undone: int
    why: str
    round: str
    point: str
    elapsed: float
    error: str | None
    left: float | None
    results: int
    unsettled: int
    widest: str | None
    ratio: float | None  # half the width of the interval, divided by the mean; None if it is infinite
    measured: int
    failed: int
    skipped: int
    missing: int
    run_id: str
    rounds: int
    path: str
    seconds: float
    campaign_id: str
    bytes: int
    url: object
    state: object
    over: bool
    server: str
    every: float
    job_id: str
    outcome: str
    reason: str
    message: str
    answer: object
    machine: object
    kept: object
    verdicts: Mapping[str, int]  # the number of tests with each verdict


class Reporter(Protocol):
    """Receives the progress: `event` is called once for every event, `tick` repeatedly while something runs."""

    def event(self, kind: str, **facts: Unpack[EventFacts]) -> None: ...

    def tick(self, left: float | None, share: float) -> None: ...


class Silent:
    """A reporter without output."""

    def event(self, kind: str, **facts: Unpack[EventFacts]) -> None:
        """Do nothing."""

    def tick(self, left: float | None, share: float) -> None:
        """Do nothing."""


class PlainLines:
    """One sentence per event, for logs and pipes."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def event(self, kind: str, **facts: Unpack[EventFacts]) -> None:
        words = sentence(kind, facts)
        if words:
            self._print(words)

    def tick(self, left: float | None, share: float) -> None:
        """Do nothing: plain lines are for events only."""

    def _print(self, words: str) -> None:
        print(one_line(words), file=self._stream, flush=True)


class ProgressBar(PlainLines):
    """Sentences, and below them one line with the running point and the remaining time."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._doing = ""

    def event(self, kind: str, **facts: Unpack[EventFacts]) -> None:
        if kind == "point_started":
            self._doing = f"round {facts['round']}  {facts['point']}"
        elif kind in ("finished", "stopped"):
            self._doing = ""
        if kind != "point_finished" or facts.get("error"):
            super().event(kind, **facts)

    def tick(self, left: float | None, share: float) -> None:
        if not self._doing:
            return
        time = "estimating" if left is None else f"{format_duration(left)} left"
        line = fitted(share, f"{share:4.0%}  {time}  {self._doing}", _columns(self._stream) - 1)
        self._stream.write(f"\r{line}\x1b[K")
        self._stream.flush()

    def _print(self, words: str) -> None:
        self._stream.write("\r\x1b[K")
        super()._print(words)


def fitted(share: float, words: str, width: int) -> str:
    """A bar and words on one line of `width` characters; the bar is shortened first, then the words."""
    length = min(BAR, width - len(words) - len("[] "))
    if length >= SHORTEST_BAR:
        full = round(length * share)
        return f"[{'#' * full}{'.' * (length - full)}] {words}"
    words = words.lstrip()
    return words if len(words) <= width else f"{words[: max(0, width - 1)]}…"


def _columns(stream: TextIO) -> int:
    """The current width in characters of the terminal of `stream`, which may differ from standard output."""
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        columns = 0
    return columns or shutil.get_terminal_size().columns


class JsonEvents:
    """One JSON object per line; the first one has the version of the format."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.event("events", format=EVENTS)

    def event(self, kind: str, **facts: Unpack[EventFacts]) -> None:
        now = datetime.now(timezone.utc).isoformat()
        print(json_text({"event": kind, "at": now, **facts}), file=self._stream, flush=True)

    def tick(self, left: float | None, share: float) -> None:
        """Do nothing: events of finished points include `left`."""


def one_line(words: str) -> str:
    """Words of others as one line of output that is no command for a terminal or a CI; blanks in it stay."""
    return CONTROL.sub("?", re.sub(r"\s", " ", words))


def json_text(value: object, indent: int | None = None) -> str:
    """JSON for standard output: readable, without what controls a terminal or a CI or has no form in UTF-8."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return UNSAFE_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def reporter(*, as_json: bool) -> Reporter:
    """The reporter of a command: JSON events to standard output, or sentences to standard error."""
    if as_json:
        return JsonEvents(sys.stdout)
    return ProgressBar(sys.stderr) if sys.stderr.isatty() else PlainLines(sys.stderr)


def sentence(kind: str, facts: EventFacts) -> str | None:
    """The sentence of an event for people; None if the event has none."""
    words = _SENTENCES.get(kind)
    return words(facts) if words else None


def counted(number: int, what: str) -> str:
    """`1 round`, `2 rounds`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def _number(points: int | Sequence[str]) -> int:
    return points if isinstance(points, int) else len(points)


def _names(points: int | Sequence[str]) -> str:
    return str(points) if isinstance(points, int) else ", ".join(points)


def _left(facts: EventFacts) -> str:
    left = facts.get("left")
    return "" if left is None else f", {format_duration(left)} left"


def _point_finished(facts: EventFacts) -> str:
    failed = f"  failed: {facts['error']}" if facts.get("error") else ""
    took = f"{facts['point']:<24} {format_duration(facts['elapsed']):>9}"
    return f"round {facts['round']}  {took}{failed}{_left(facts)}"


def _round_finished(facts: EventFacts) -> str:
    return f"Round {facts['round']} took {format_duration(facts['elapsed'])}{_left(facts)}.{_precision(facts)}"


def _precision(facts: EventFacts) -> str:
    """The progress of a plan that continues until its results have some precision."""
    if "unsettled" not in facts:
        return ""
    if not facts["unsettled"]:
        return f" All {counted(facts['results'], 'result')} are known precisely enough."
    ratio = "nothing is known yet" if facts["ratio"] is None else f"± {facts['ratio']:.1%}"
    open_ = f"{facts['unsettled']} of {counted(facts['results'], 'result')}"
    return f" {open_} are not yet known precisely enough; the worst is {facts['widest']}, {ratio}."


def _finished(facts: EventFacts) -> str:
    counts = [f"{facts[key]} {key}" for key in ("measured", "failed", "skipped", "missing") if facts.get(key)]
    return f"Points: {', '.join(counts) or 'none'}."


def _verdicts(facts: EventFacts) -> str:
    return ", ".join(f"{number} {kind}" for kind, number in facts["verdicts"].items())


_SENTENCES: dict[str, Callable[[EventFacts], str | None]] = {
    "started": lambda f: f"Plan {f['plan']}: {counted(_number(f['points']), 'point')}, {f['bound']}.",
    "cleared": lambda f: f"An earlier run was killed; {f['what']}.",
    "cleaned": lambda f: None if f["undone"] else f"Nothing was left behind in {f['work_dir']}.",
    "skipped": lambda f: f"Skipped {_names(f['points'])}: {f['why']}.",
    "point_finished": _point_finished,
    "round_finished": _round_finished,
    "stopped": lambda f: "Stopping; undoing what was prepared and keeping what was measured.",
    "finished": _finished,
    "spooled": lambda f: f"Kept {f['point']} as run {f['run_id']}, {counted(f['rounds'], 'round')}.",
    "not_joined": lambda f: (
        f"Kept the new rounds of {f['point']} by themselves: {f['why']} changed since run {f['run_id']}."
    ),
    "rescued": lambda f: f"{f['why']} Kept {f['point']} in {f['path']} instead.",
    "no_rescue": lambda f: f"{f['path']} takes no document either: {f['why']}",
    "waiting": lambda f: f"{f['why']}; trying again in {format_duration(f['seconds'])}.",
    "announced": lambda f: f"Campaign {f['campaign_id']}: {counted(_number(f['points']), 'point')}.",
    "unannounced": lambda f: f"{f['why']} The announcement waits in the spool.",
    "unended": lambda f: f"That the campaign ended could not be kept: {f['why']}",
    "campaign_killed": lambda f: f"Campaign {f['campaign_id']} was killed before its end. {_finished(f)}",
    "unrecovered": lambda f: f"What a killed agent measured could not be kept now: {f['why']}",
    "torn": lambda f: f"The last {f['bytes']} bytes of {f['path']} were cut off; what was measured before is kept.",
    "unsaved": lambda f: f"{f['why']} Rounds stay in memory until there is room; a kill would lose them.",
    "campaign_sent": lambda f: f"{'Ended' if f['over'] else 'Announced'}: {f['url'] or f['campaign_id']}",
    "campaign_refused": lambda f: f"Refused campaign {f['campaign_id']}: {f['why']}",
    "looked": lambda f: f"After {counted(f['rounds'], 'round')}: {_verdicts(f)}.",
    "unjudged": lambda f: f"{f['why']} The gate goes on, and looks again after the next round.",
    "listening": lambda f: f"Asking {f['server']} for work every {format_duration(f['every'])}.",
    "claimed": lambda f: f"Took plan {f['plan']} (job {f['job_id']}).",
    "refused": lambda f: f"Refused the plan: {f['why']}",
    "cancelled": lambda f: f"Stopping this plan: {f['why']}",
    "job_finished": lambda f: f"The job is {f['outcome'].replace('_', ' ')}. {f['reason']}".rstrip(),
    "unreported": lambda f: f"{f['why']}; going on.",
    "undelivered": lambda f: f"{f['why']}",
    "uploaded": lambda f: f"Uploaded {f['point']}: {f['url'] or f['run_id']} ({f['state'] or 'stored'})",
    "not_renamed": lambda f: (
        f"The server keeps the name {f['kept']} for this machine, not {f['machine']}: more people can see its earlier "
        "runs. A run with at least their visibility (--visibility) renames it."
    ),
    "computing": lambda f: f"The server computes the statistics of {counted(_number(f['points']), 'run')}.",
    "ready": lambda f: f"The statistics of run {f['run_id']} failed." if f["state"] == "failed" else None,
    "computed": lambda f: f"The statistics of {counted(_number(f['points']), 'run')} are there.",
    "not_awaited": lambda f: f"{f['why']}. The statistics of {counted(_number(f['points']), 'run')} come later.",
    "rejected": lambda f: f"Refused {f['point']}: {f['message']} The document and the answer are in {f['path']}",
    "undecided": lambda f: f"Not decided about {f['point']}: {f['why']}",
    "unsettled": lambda f: f"The server has decided about {f['point']}, but that cannot be kept: {f['why']}",
}
