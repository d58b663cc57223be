"""Sentences about lines along an ordered dimension."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import log

from benchdb.compare.query.dimensions import dimension, with_noun
from benchdb.compare.table.grid import ORDERED, Grid
from benchdb.wording.words import upper

from .claims import Change
from .evidence import FindingEvidence
from .finding import MOST_LISTED, Clause, changes_in_words, listed, say, say_margin
from .lines import LineGroup, TableLine

TWICE = (1.9, 2.1)
Placed = Sequence[tuple[LineGroup, TableLine]]


def of_changing(
    table: Grid, evidence: FindingEvidence, groups: Sequence[LineGroup], lines: Placed, parts: Placed
) -> str:
    """The sentences about lines of `groups` that change in the same way, with the other lines of these groups.

    Only a part of the change is known on the lines of `parts`.
    """
    name, first = groups[0].dimension, lines[0][1]
    turns = groups[0].turns(first)
    topic, one = _topic(table, groups)
    where = _where(table, groups, lines)
    legs = [[line.changes[i] for _, line in lines] for i in range(len(turns) - 1)]
    if len(legs) == 1:
        sizes = _by_line(lines, legs[0]) if len(groups) == 1 else ""
        start = (
            f"{topic} {_verb(legs[0], one=one)} from {turns[0]} to {with_noun(name, turns[1])}{'' if sizes else where}"
        )
        sizes = sizes or _range(legs[0])
        clauses = [Clause(": ", sizes, f"The {'change is' if len(lines) == 1 else 'changes are'} {sizes}")]
    elif len(legs) == 2:
        is_best = f"{'is' if one else 'are'} {'best' if legs[0][0].better else 'worst'}"
        start = f"{topic} {is_best} at {with_noun(name, turns[1])}{where}"
        before, after = _range(legs[0]), _range([_back(change) for change in legs[1]])
        clauses = [
            Clause(": ", f"{before} against {turns[0]}", f"Against {turns[0]}: {before}"),
            Clause(", ", f"{after} against {turns[2]}", f"Against {turns[2]}: {after}"),
        ]
    else:
        start = f"{topic} {'rises and falls' if one else 'rise and fall'} with the {dimension(name).label}{where}"
        steps = [(f"from {a} to {b}", _range(leg)) for leg, a, b in zip(legs, turns, turns[1:], strict=False)]
        clauses = [
            Clause(", " if i else ": ", f"{size} {step}", f"{upper(step)}: {size}")
            for i, (step, size) in enumerate(steps)
        ]
    if parts:
        values = [line.value for _, line in parts]
        clauses.append(Clause("; ", f"only a part of this is known{_at(values, 0, len(groups))}"))
    return say(start, *clauses, *_notes(groups, lines), *_others(evidence, groups, [*lines, *parts]))


def _topic(table: Grid, groups: Sequence[LineGroup]) -> tuple[str, bool]:
    """The subject of a sentence about groups of lines, and whether it is in the singular."""
    words = list(dict.fromkeys(table.words(group.first, groups[0].dimension) for group in groups))
    if len(words) > MOST_LISTED:
        words = list(dict.fromkeys(table.words(group.first, *ORDERED) for group in groups))
    topic = upper(listed(words)) if all(words) else table.subject(groups[0].first, *ORDERED)
    return topic, len(words) == 1


def _where(table: Grid, groups: Sequence[LineGroup], lines: Placed) -> str:
    """` on xfs and ext4` if each group has lines of these, else ` in 12 of 39 cases`."""
    values = list(dict.fromkeys(line.value for _, line in lines))
    if len(lines) == len(values) * len(groups):
        return _on(values) if len(table.values) > 1 else ""
    return f" in {len(lines)} of {_cases(sum(len(group.lines) for group in groups))}"


def _cases(number: int) -> str:
    return f"{number} case{'' if number == 1 else 's'}"


def _on(values: Iterable[str]) -> str:
    return f" on {names}" if (names := listed(filter(None, values))) else ""


def _verb(changes: Sequence[Change], *, one: bool) -> str:
    if changes[0].better and all(TWICE[0] <= change.ratio <= TWICE[1] for change in changes):
        verb = "double"
    else:
        verb = "improve" if changes[0].better else "worsen"
    return f"{verb}s" if one else verb


def _by_line(lines: Placed, changes: Sequence[Change]) -> str:
    """`2× faster on ext4 and 1.9× faster on xfs (95 % intervals within …)`; "" for one line, or for many."""
    if not 1 < len(lines) <= MOST_LISTED:
        return ""
    words, interval = changes_in_words(changes)
    texts = [f"{each.phrase} on {line.value}" for each, (_, line) in zip(words, lines, strict=True)]
    return f"{listed(texts)} ({interval})"


def _range(changes: Sequence[Change]) -> str:
    """`4× faster (95 % interval …)`, `4× to 4.1× faster (95 % intervals within …)`."""
    words, interval = changes_in_words(sorted(changes, key=lambda change: abs(log(change.ratio))))
    least = "" if words[0].size == words[-1].size else f"{words[0].size} to "
    return f"{least}{words[-1].phrase} ({interval})"


def _back(change: Change) -> Change:
    """The change of the earlier cell against the later one."""
    return Change(change.against, change.cell, 1 / change.ratio, 1 / change.high, 1 / change.low, change.metric)


def _others(evidence: FindingEvidence, groups: Sequence[LineGroup], lines: Placed) -> Iterator[Clause]:
    """`btrfs is unchanged (within ± 1.2 %)`, `3 cases are undecided`: the lines that the sentence is not about."""
    told = {line for _, line in lines}
    alike: dict[tuple[object, ...], list[tuple[LineGroup, TableLine]]] = defaultdict(list)
    for group in groups:
        for line in group.lines:
            if line not in told:
                flat = line.bound(evidence) is not None
                alike[shape_of(group, line) if line.changes else (flat,)].append((group, line))
    for same in alike.values():
        names, one = _named(groups, same)
        text = f"{names} {_in_few_words(evidence, same, one=one)}"
        yield Clause("; ", text, text)


def _named(groups: Sequence[LineGroup], lines: Placed) -> tuple[str, bool]:
    """`ext4 and xfs` if these are all of their lines, else `3 cases`; and whether that is in the singular."""
    values = list(dict.fromkeys(line.value for _, line in lines))
    if len(lines) == sum(line.value in values for group in groups for line in group.lines):
        return listed(values), len(values) == 1
    return _cases(len(lines)), len(lines) == 1


def _in_few_words(evidence: FindingEvidence, lines: Placed, *, one: bool) -> str:
    """The shape that these lines have."""
    group, line = lines[0]
    is_, s = ("is", "s") if one else ("are", "")
    if not line.changes:
        bounds = [bound for _, each in lines if (bound := each.bound(evidence)) is not None]
        return f"{is_} unchanged (within {say_margin(max(bounds))})" if bounds else f"{is_} undecided"
    better, turns = line.changes[0].better, group.turns(line)
    if len(turns) == 2:
        return f"{'improve' if better else 'worsen'}{s} from {turns[0]} to {turns[1]}"
    if len(turns) == 3:
        return f"{is_} {'best' if better else 'worst'} at {turns[1]}"
    return f"rise{s} and fall{s}"


def _notes(groups: Sequence[LineGroup], lines: Placed) -> Iterator[Clause]:
    """`16 MiB failed on xfs`, `4 MiB is undecided`: cells without a comparison, or with a mean that does not fit.

    A mean that does not fit is beyond the sentence, although no test confirms it.
    """
    yield from (Clause("; ", note) for note in left_out_of(groups))
    unsure: dict[str, list[str]] = defaultdict(list)
    for _, line in lines:
        for place in line.unsure:
            unsure[line.labels[place]].append(line.value)
    yield from (
        Clause("; ", f"{label} is undecided{_at(values, len(lines), len(groups))}") for label, values in unsure.items()
    )


def left_out_of(groups: Sequence[LineGroup]) -> list[str]:
    """`16 MiB failed on xfs`: the cells that could not be compared."""
    lines = [line for group in groups for line in group.lines]
    values: dict[tuple[str, str], list[str]] = defaultdict(list)
    for line in lines:
        for label, why in line.left_out:
            values[label, why].append(line.value)
    labels: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (label, why), of_label in values.items():
        labels[why, _at(of_label, len(lines), len(groups))].append(label)
    return [f"{listed(of_why)} {why}{where}" for (why, where), of_why in labels.items()]


def _at(values: Sequence[str], lines: int, groups: int) -> str:
    """` on xfs` of one group, ` in 3 cases` of several; "" if it holds for all lines."""
    if len(values) == lines:
        return ""
    return _on(values) if groups == 1 else f" in {_cases(len(values))}"


def shape_of(group: LineGroup, line: TableLine) -> tuple[object, ...]:
    """What a changing line has in common with others that share its sentence."""
    first = line.changes[0]
    return first.better, first.ratio > 1, *group.turns(line)


def of_unmoved(table: Grid, evidence: FindingEvidence, groups: Sequence[LineGroup]) -> str:
    """`Write and rewrite do not depend on the record size (1 MiB to 16 MiB): within ± 0.4 %.`"""
    topic, one = _topic(table, groups)
    bound = max(line.bound(evidence) or 0.0 for group in groups for line in group.lines)
    first, last = groups[0].ends
    label = dimension(groups[0].dimension).label
    start = f"{topic} {'does' if one else 'do'} not depend on the {label} ({first} to {last})"
    return say(
        start, Clause(": ", f"within {say_margin(bound)}"), *(Clause("; ", note) for note in left_out_of(groups))
    )
