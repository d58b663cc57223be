"""The warnings about a run, each once for any number of results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from benchdb.facts.measuring import LARGE_SHARE
from benchdb.facts.stored import Scalar, StoredEvidence, StoredRound
from benchdb.runs.cells.cell_context import QUIET, first_words
from benchdb.runs.models import Run
from benchdb.stats import too_few_sentence
from benchdb.wording.numbers import plural, say_number
from benchdb.wording.words import metric_label

from .outline import Outline
from .results import ResultCell, title

MOST_OF_TEXT = 3  # warnings about raw output, which may have one for each round
MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class RunNote:
    """A warning of web/partials/warnings.html."""

    text: str
    severe: bool = False
    href: str | None = None


def run_notes(run: Run, outline: Outline, by_metric: Mapping[str, Sequence[ResultCell]]) -> list[RunNote]:
    """The warnings, the most serious first: failures of the whole run, all others about the results of the page."""
    shown = [item for items in by_metric.values() for item in items]
    main = by_metric.get("throughput") or next(iter(by_metric.values()), [])
    measured = [item for item in main if item.cell.mean is not None]
    notes = [
        *_of_run(run),
        *_of_status(outline),
        *_of_clock(measured),
        *_of_cache(measured),
        *_of_values(shown),
        *_of_text(run),
    ]
    return sorted(notes, key=lambda note: not note.severe)


def _of_run(run: Run) -> Iterator[RunNote]:
    imported = run.extra.get("import")
    if isinstance(imported, dict) and not imported.get("measured_at"):
        yield RunNote("The time of the measurement is unknown; the time shown is that of the import.")
    rounds: list[StoredRound] = run.rounds
    failed = [round_ for round_ in rounds if round_["status"] == "failed"]
    if failed:
        words = first_words(failed[0].get("error"))
        yield RunNote(
            f"{len(failed)} of {plural(run.round_count, 'round')} failed: {words}", severe=True, href="#rounds"
        )
    for disturbance in disturbances(run):
        yield RunNote(disturbance.text, severe=disturbance.severe, href="#rounds")
    messages = sum(len((round_.get("evidence") or {}).get("kernel_messages", [])) for round_ in rounds)
    if messages:
        yield RunNote(f"The kernel wrote {plural(messages, 'message')} while this run measured.", href="#kernel")


def _of_status(outline: Outline) -> Iterator[RunNote]:
    failed, fast = (
        [place for place, (own, _) in outline.faults.items() if own == status] for status in ("failed", "unmeasurable")
    )
    if failed:
        words = first_words(outline.faults[failed[0]][1])
        yield RunNote(f"{_named(outline, failed)} failed: {words}", severe=True)
    if fast:
        yield RunNote(f"{_named(outline, fast)}: too fast for the tool to measure.")


def _of_clock(shown: Sequence[ResultCell]) -> Iterator[RunNote]:
    verdicts = [item.cell.clock.verdict for item in shown]
    coarse, unusable = verdicts.count("coarse") + verdicts.count("unusable"), verdicts.count("unusable")
    if not coarse:
        return
    barred = f"; {say_number(unusable, 0)} of them less than 10, too few for a verdict" if unusable else ""
    of = f"{say_number(coarse, 0)} of {plural(len(shown), 'result')}"
    yield RunNote(f"{of} took less than 100 ticks of the tool's clock (CLK){barred}.")


def _of_cache(shown: Sequence[ResultCell]) -> Iterator[RunNote]:
    cached = sum(item.cell.cache.verdict == "cached" for item in shown)
    if cached:
        of = f"{plural(len(shown), 'result')} of {metric_label(shown[0].result.metric)}"
        yield RunNote(f"{say_number(cached, 0)} of {of} measured memory, not the device (RAM).")


def _of_values(items: Sequence[ResultCell]) -> Iterator[RunNote]:
    shown = [item for item in items if item.cell.status == "ok"]
    if shown and all(item.cell.n is None for item in shown):
        yield RunNote("How many rounds there were is not known, nor their spread.")
    elif shown and all(item.cell.n in (0, 1, None) for item in shown):
        yield RunNote("One round only: nothing is known of the spread. Measure more rounds.")
    most = max((item.cell.n or 0 for item in shown if item.cell.values), default=0)
    if too_few := too_few_sentence(most):
        yield RunNote(too_few)
    by_code: dict[str, list[tuple[ResultCell, str]]] = {}
    for item in shown:
        for warning in item.cell.warnings:
            if warning.code not in QUIET:
                by_code.setdefault(warning.code, []).append((item, warning.text))
    for with_code in by_code.values():
        first, text = with_code[0]
        more = f" The same of {plural(len(with_code) - 1, 'more result')}." if len(with_code) > 1 else ""
        yield RunNote(f"{title(first.result)}: {text}{more}")


def _of_text(run: Run) -> Iterator[RunNote]:
    """The first warnings of the agent's parser, and the number of the others."""
    warnings = run.extra.get("parser_warnings")
    found = warnings if isinstance(warnings, list) else []
    for warning in found[:MOST_OF_TEXT]:
        yield RunNote(f"In the raw output: {warning}")
    if len(found) > MOST_OF_TEXT:
        yield RunNote(f"{plural(len(found) - MOST_OF_TEXT, 'more warning')} of this kind in the raw output, see JSON.")


def _named(outline: Outline, places: Sequence[int]) -> str:
    """The names of the first few results; metrics of one test share a name."""
    _, first = outline.titles(np.array(places))
    names = [title(outline.row(places[i])) for i in first[:MOST_NAMED]]
    rest = len(first) - MOST_NAMED
    return "; ".join(names) + (f" and {rest} more" if rest > 0 else "")


MOST_ROUNDS = 5


class Kind(NamedTuple):
    """One of `benchagent`'s kinds of disturbance. `severe`: the numbers of the round cannot be trusted."""

    text: str
    severe: bool


KINDS = {
    "io_error": Kind("the kernel reported I/O errors", severe=True),
    "io_recovery": Kind("the kernel repeated commands to a disk or reset it", severe=True),
    "file_system_error": Kind("the kernel reported errors of a file system", severe=True),
    "oops": Kind("the kernel failed (oops)", severe=True),
    "lockup": Kind("a processor was locked up", severe=True),
    "hung_task": Kind("a process hung", severe=True),
    "oom_kill": Kind("the kernel killed a process for want of memory", severe=True),
    "machine_check": Kind("the hardware reported errors", severe=True),
    "clock_step": Kind("the clock was set", severe=True),
    "kernel_warning": Kind("the kernel warned of a fault of its own", severe=False),
    "thermal_throttling": Kind("the processor was slowed down because it was hot", severe=False),
    "raid_resync": Kind("a RAID array was resyncing", severe=False),
}


class Disturbance(NamedTuple):
    """`text` names the rounds."""

    text: str
    severe: bool


def disturbances(run: Run) -> Iterator[Disturbance]:
    """Each kind once, with its rounds; then other load."""
    stored_rounds: list[StoredRound] = run.rounds
    evidence: list[StoredEvidence] = [round_.get("evidence") or {} for round_ in stored_rounds]
    rounds_of: dict[str, list[int]] = {}
    for number, of_round in enumerate(evidence, start=1):
        for name, count in (of_round.get("disturbances") or {}).items():
            if count:
                rounds_of.setdefault(name, []).append(number)
    for name, rounds in sorted(
        rounds_of.items(), key=lambda item: list(KINDS).index(item[0]) if item[0] in KINDS else 99
    ):
        kind = KINDS.get(name) or Kind(name.replace("_", " "), severe=False)
        yield Disturbance(f"{_rounds(rounds)}: {kind.text}.", kind.severe)
    yield from _load([of_round.get("noise") or {} for of_round in evidence])


def _load(noise: Sequence[Mapping[str, Scalar]]) -> Iterator[Disturbance]:
    scores = [
        (score, number)
        for number, item in enumerate(noise, start=1)
        if isinstance(score := item.get("score"), int | float) and not isinstance(score, bool)
    ]
    loud = [number for score, number in scores if score >= LARGE_SHARE]
    if loud:
        worst, number = max(scores)
        text = f"{_rounds(loud)}: other load on the machine, worst in round {number} (noise score {worst:.0%})."
        yield Disturbance(text, severe=False)


def _rounds(numbers: list[int]) -> str:
    """`Round 3`, `Rounds 1, 2 and 5`, `Rounds 1, 2, 3, 4, 5 and 7 more`."""
    if len(numbers) == 1:
        return f"Round {numbers[0]}"
    if len(numbers) > MOST_ROUNDS:
        named, rest = numbers[:MOST_ROUNDS], f"{len(numbers) - MOST_ROUNDS} more"
    else:
        named, rest = numbers[:-1], str(numbers[-1])
    return f"Rounds {', '.join(map(str, named))} and {rest}"
