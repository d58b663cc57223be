"""Findings about the effect of a size, a number of threads or another ordered dimension on each line of the table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple

from benchdb.compare.query.dimensions import dimension
from benchdb.stats import Verdict
from benchdb.wording.numbers import say_change
from benchdb.wording.words import upper

from .evidence import FindingEvidence
from .finding import FindingWriter, TableFinding, listed, say_margin
from .table_cells import ORDERED, MeasuredCell, Others, TableCells, subject, with_noun

TIER, TIER_SAME = 40, 50
TWICE = (1.9, 2.1)
# The time of one operation and the operations in a second depend on its size anyway: not worth a finding.
SIZES, OF_ONE = ("record_size", "file_size"), ("s", "op/s")


class Peak(NamedTuple):
    """The best cell of a line, compared with the first and the last, if it is neither of them."""

    entry: MeasuredCell
    pairs: tuple[int, int]
    claim: int


@dataclass(frozen=True)
class TableLine:
    """The cells of one line, the comparison of its last with its first, and a peak between them."""

    name: str
    value: str
    entries: Sequence[MeasuredCell]
    ends: int
    claim: int
    steps: Sequence[int]  # each later cell against the first
    peak: Peak | None


def along(table: TableCells, evidence: FindingEvidence) -> FindingWriter:
    """Findings about each ordered dimension on an axis of the table, except the factor."""
    lines_by_dimension: dict[tuple[str, Others], list[TableLine]] = defaultdict(list)
    for name in ORDERED:
        if name in table.factor:
            continue
        for entries in table.lines(name):
            with_mean = [entry for entry in entries if entry.cell.mean is not None]
            if len(with_mean) > 1 and not (name in SIZES and with_mean[0].measure.base_unit in OF_ONE):
                line = _tested_line(table, evidence, name, with_mean)
                lines_by_dimension[name, with_mean[0].without([*table.factor, name])].append(line)

    def write() -> Iterator[TableFinding]:
        unmoved: dict[str, list[TableLine]] = defaultdict(list)
        for (name, _), lines in lines_by_dimension.items():
            if all(_is_unmoved(evidence, line) for line in lines):
                unmoved[name] += lines
            else:
                yield from _moved(table, evidence, lines)
        for lines in unmoved.values():
            yield _unmoved(table, evidence, lines)

    return write


def _tested_line(table: TableCells, evidence: FindingEvidence, name: str, entries: Sequence[MeasuredCell]) -> TableLine:
    first, last = entries[0], entries[-1]
    steps = [evidence.pair(entry, first) for entry in entries[1:]]
    sign = 1 if first.measure.higher_is_better else -1
    best_entry = max(entries, key=lambda entry: sign * entry.mean)
    peak = None
    if best_entry is not first and best_entry is not last:
        pairs = (evidence.pair(best_entry, first), evidence.pair(best_entry, last))
        peak = Peak(best_entry, pairs, evidence.claim(pairs, picked_from=len(entries)))
    return TableLine(name, table.value(first), entries, steps[-1], evidence.claim([steps[-1]]), steps, peak)


def _is_unmoved(evidence: FindingEvidence, line: TableLine) -> bool:
    return all(evidence.answer(step).verdict is Verdict.EQUIVALENT for step in line.steps)


def _holds(evidence: FindingEvidence, peak: Peak) -> bool:
    return all(evidence.direction(pair, peak.claim) is Verdict.BETTER for pair in peak.pairs)


def _moved(table: TableCells, evidence: FindingEvidence, lines: Sequence[TableLine]) -> Iterator[TableFinding]:
    """`Random read improves from 1 MiB to 16 MiB records: +101 % on ext4, +95 % on xfs.`"""
    peaks = {line.value: line.peak for line in lines if line.peak is not None and _holds(evidence, line.peak)}
    yield from _peaks(table, evidence, [line for line in lines if line.value in peaks])
    direction_of = {line.value: evidence.direction(line.ends, line.claim) for line in lines if line.value not in peaks}
    changing = [line for line in lines if direction_of.get(line.value) in (Verdict.BETTER, Verdict.WORSE)]
    by_ends: dict[tuple[str, str], list[TableLine]] = defaultdict(list)
    for line in changing:
        by_ends[_end(line, 0), _end(line, -1)].append(line)
    for (first, last), same_ends in by_ends.items():
        same_ends.sort(key=lambda line: -abs(log(evidence.answer(line.ends).ratio)))
        changes = [_change(evidence, line, alone=len(lines) == 1) for line in same_ends]
        name, directions = same_ends[0].name, {direction_of[line.value] for line in same_ends}
        verb = "changes" if len(directions) > 1 else "improves" if Verdict.BETTER in directions else "worsens"
        topic = subject(table, same_ends[0].entries[0], name)
        text = f"{topic} {verb} from {first} to {with_noun(name, last)}: {listed(changes)}."
        yield TableFinding(
            TIER,
            _doubled(text, evidence, same_ends),
            [entry for line in same_ends for entry in (line.entries[0], line.entries[-1])],
            max(evidence.p_adjusted(line.claim) for line in same_ends),
            abs(log(evidence.answer(same_ends[0].ends).ratio)),
        )


def _doubled(text: str, evidence: FindingEvidence, lines: Sequence[TableLine]) -> str:
    """The sentence with "doubles" instead of "improves" if the value doubles on every line."""
    ratios = [evidence.answer(line.ends).ratio for line in lines]
    upward = lines[0].entries[0].measure.higher_is_better
    doubles = upward and all(TWICE[0] <= ratio <= TWICE[1] for ratio in ratios)
    return text.replace(" improves from ", " doubles from ", 1) if doubles else text


def _change(evidence: FindingEvidence, line: TableLine, *, alone: bool) -> str:
    change = say_change(evidence.answer(line.ends).ratio)
    return change if alone or not line.value else f"{change} on {line.value}"


def _peaks(table: TableCells, evidence: FindingEvidence, lines: Sequence[TableLine]) -> Iterator[TableFinding]:
    """`Random read is best at 8 threads on ext4 and xfs: at least +310 % against 1, +12 % against 32.`"""
    by_values: dict[tuple[str, ...], list[tuple[TableLine, Peak]]] = defaultdict(list)
    for line in lines:
        if line.peak is not None:
            by_values[_end(line, 0), line.peak.entry.parts[line.name], _end(line, -1)].append((line, line.peak))
    for (first, top, last), same_peak in by_values.items():
        line, _ = same_peak[0]
        weakest = min if line.entries[0].measure.higher_is_better else max
        gains = [weakest(evidence.answer(peak.pairs[i]).ratio for _, peak in same_peak) for i in (0, 1)]
        at_least = "at least " if len(same_peak) > 1 else ""
        values = listed(filter(None, (other_line.value for other_line, _ in same_peak)))
        on_lines = f" on {values}" if values else ""
        yield TableFinding(
            TIER,
            f"{subject(table, line.entries[0], line.name)} is best at {with_noun(line.name, top)}"
            f"{on_lines}: {at_least}{say_change(gains[0])} against {first}, {say_change(gains[1])} against {last}.",
            [entry for other_line, peak in same_peak for entry in (peak.entry, *other_line.entries)],
            max(evidence.p_adjusted(peak.claim) for _, peak in same_peak),
            abs(log(gains[0])),
        )


def _unmoved(table: TableCells, evidence: FindingEvidence, lines: Sequence[TableLine]) -> TableFinding:
    """`Write and rewrite do not depend on the record size (1 MiB to 16 MiB): within ± 0.4 %.`"""
    name = lines[0].name
    subjects = list(dict.fromkeys(table.words(line.entries[0], name) for line in lines))
    topic = upper(listed(subjects)) if all(subjects) else subject(table, lines[0].entries[0], name)
    bound = max(evidence.answer(step).bound for line in lines for step in line.steps)
    verb = "do" if len(subjects) > 1 else "does"
    ends = f"{_end(lines[0], 0)} to {_end(lines[0], -1)}"
    text = f"{topic} {verb} not depend on the {dimension(name).label} ({ends}): within {say_margin(bound)}."
    return TableFinding(TIER_SAME, text, [entry for line in lines for entry in line.entries], weight=float(len(lines)))


def _end(line: TableLine, index: int) -> str:
    return line.entries[index].parts[line.name]
