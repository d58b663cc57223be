"""What a size, a number of threads or another ordered dimension does to each line of the table."""

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
# The time of one operation, and how many there are in a second, follow its size: that is no finding.
SIZES, OF_ONE = ("record_size", "file_size"), ("s", "op/s")


class Peak(NamedTuple):
    """The best cell of a line that is neither its first nor its last, against these two."""

    place: MeasuredCell
    pairs: tuple[int, int]
    claim: int


@dataclass(frozen=True)
class TableLine:
    """The cells of one line: from its first to its last, and its peak where that lies between."""

    name: str
    value: str
    places: Sequence[MeasuredCell]
    ends: int
    claim: int
    steps: Sequence[int]  # each later cell against the first
    peak: Peak | None


def along(table: TableCells, evidence: FindingEvidence) -> FindingWriter:
    """Findings about each ordered dimension that has a place in the table beside the factor."""
    asked: dict[tuple[str, Others], list[TableLine]] = defaultdict(list)
    for name in ORDERED:
        if name in table.factor:
            continue
        for places in table.lines(name):
            measured = [place for place in places if place.cell["mean"] is not None]
            if len(measured) > 1 and not (name in SIZES and measured[0].measure.base_unit in OF_ONE):
                line = _ask(table, evidence, name, measured)
                asked[name, measured[0].without([*table.factor, name])].append(line)

    def write() -> Iterator[TableFinding]:
        unmoved: dict[str, list[TableLine]] = defaultdict(list)
        for (name, _), lines in asked.items():
            if all(_is_unmoved(evidence, line) for line in lines):
                unmoved[name] += lines
            else:
                yield from _moved(table, evidence, lines)
        for lines in unmoved.values():
            yield _unmoved(table, evidence, lines)

    return write


def _ask(table: TableCells, evidence: FindingEvidence, name: str, places: Sequence[MeasuredCell]) -> TableLine:
    first, last = places[0], places[-1]
    steps = [evidence.pair(place, first) for place in places[1:]]
    sign = 1 if first.measure.higher_is_better else -1
    top = max(places, key=lambda place: sign * place.cell["mean"])
    peak = None
    if top is not first and top is not last:
        pairs = (evidence.pair(top, first), evidence.pair(top, last))
        peak = Peak(top, pairs, evidence.claim(pairs, picked_from=len(places)))
    return TableLine(name, table.value(first), places, steps[-1], evidence.claim([steps[-1]]), steps, peak)


def _is_unmoved(evidence: FindingEvidence, line: TableLine) -> bool:
    return all(evidence.answer(step).verdict is Verdict.EQUIVALENT for step in line.steps)


def _holds(evidence: FindingEvidence, peak: Peak) -> bool:
    return all(evidence.direction(pair, peak.claim) is Verdict.BETTER for pair in peak.pairs)


def _moved(table: TableCells, evidence: FindingEvidence, lines: Sequence[TableLine]) -> Iterator[TableFinding]:
    """`Random read improves from 1 MiB to 16 MiB records: +101 % on ext4, +95 % on xfs.`"""
    peaks = {line.value: line.peak for line in lines if line.peak is not None and _holds(evidence, line.peak)}
    yield from _peaks(table, evidence, [line for line in lines if line.value in peaks])
    kinds = {line.value: evidence.direction(line.ends, line.claim) for line in lines if line.value not in peaks}
    told = [line for line in lines if kinds.get(line.value) in (Verdict.BETTER, Verdict.WORSE)]
    by_ends: dict[tuple[str, str], list[TableLine]] = defaultdict(list)
    for line in told:
        by_ends[_end(line, 0), _end(line, -1)].append(line)
    for (first, last), own in by_ends.items():
        own.sort(key=lambda line: -abs(log(evidence.answer(line.ends).ratio)))
        changes = [_change(evidence, line, alone=len(lines) == 1) for line in own]
        name, found = own[0].name, {kinds[line.value] for line in own}
        verb = "changes" if len(found) > 1 else "improves" if Verdict.BETTER in found else "worsens"
        about = subject(table, own[0].places[0], name)
        text = f"{about} {verb} from {first} to {with_noun(name, last)}: {listed(changes)}."
        yield TableFinding(
            TIER,
            _doubled(text, evidence, own),
            [place for line in own for place in (line.places[0], line.places[-1])],
            max(evidence.p_adjusted(line.claim) for line in own),
            abs(log(evidence.answer(own[0].ends).ratio)),
        )


def _doubled(text: str, evidence: FindingEvidence, lines: Sequence[TableLine]) -> str:
    """Say that it doubles, where it does so on every line."""
    ratios = [evidence.answer(line.ends).ratio for line in lines]
    upward = lines[0].places[0].measure.higher_is_better
    doubles = upward and all(TWICE[0] <= ratio <= TWICE[1] for ratio in ratios)
    return text.replace(" improves from ", " doubles from ", 1) if doubles else text


def _change(evidence: FindingEvidence, line: TableLine, *, alone: bool) -> str:
    change = say_change(evidence.answer(line.ends).ratio)
    return change if alone or not line.value else f"{change} on {line.value}"


def _peaks(table: TableCells, evidence: FindingEvidence, lines: Sequence[TableLine]) -> Iterator[TableFinding]:
    """`Random read is best at 8 threads on ext4 and xfs: at least +310 % against 1, +12 % against 32.`"""
    alike: dict[tuple[str, ...], list[tuple[TableLine, Peak]]] = defaultdict(list)
    for line in lines:
        if line.peak is not None:
            alike[_end(line, 0), line.peak.place.parts[line.name], _end(line, -1)].append((line, line.peak))
    for (first, top, last), own in alike.items():
        line, _ = own[0]
        gains = [min(evidence.answer(peak.pairs[i]).ratio for _, peak in own) for i in (0, 1)]
        least = "at least " if len(own) > 1 else ""
        values = listed(filter(None, (each.value for each, _ in own)))
        where = f" on {values}" if values else ""
        yield TableFinding(
            TIER,
            f"{subject(table, line.places[0], line.name)} is best at {with_noun(line.name, top)}"
            f"{where}: {least}{say_change(gains[0])} against {first}, {say_change(gains[1])} against {last}.",
            [place for each, peak in own for place in (peak.place, *each.places)],
            max(evidence.p_adjusted(peak.claim) for _, peak in own),
            abs(log(gains[0])),
        )


def _unmoved(table: TableCells, evidence: FindingEvidence, lines: Sequence[TableLine]) -> TableFinding:
    """`Write and rewrite do not depend on the record size (1 MiB to 16 MiB): within ± 0.4 %.`"""
    name = lines[0].name
    subjects = list(dict.fromkeys(table.words(line.places[0], name) for line in lines))
    about = upper(listed(subjects)) if all(subjects) else subject(table, lines[0].places[0], name)
    bound = max(evidence.answer(step).bound for line in lines for step in line.steps)
    do = "do" if len(subjects) > 1 else "does"
    ends = f"{_end(lines[0], 0)} to {_end(lines[0], -1)}"
    text = f"{about} {do} not depend on the {dimension(name).label} ({ends}): within {say_margin(bound)}."
    return TableFinding(TIER_SAME, text, [place for line in lines for place in line.places], weight=float(len(lines)))


def _end(line: TableLine, place: int) -> str:
    return line.places[place].parts[line.name]
