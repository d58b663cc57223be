"""Sentences about lines along an ordered dimension."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from benchdb.compare.query.dimensions import dimension
from benchdb.wording.numbers import say_change
from benchdb.wording.words import upper

from .claims import Change
from .evidence import FindingEvidence
from .finding import listed, say_margin, say_together
from .lines import LineGroup, TableLine
from .table_cells import TableCells, subject, with_noun

TWICE = (1.9, 2.1)
MOST_NAMED = 3  # of the lines that a sentence is not about


def of_changing(table: TableCells, evidence: FindingEvidence, group: LineGroup, lines: Sequence[TableLine]) -> str:
    """The sentence about lines that change in the same way, with the other lines of the group."""
    name, topic = group.dimension, subject(table, group.first, group.dimension)
    turns = group.turns(lines[0])
    legs = [[line.changes[i] for line in lines] for i in range(len(turns) - 1)]
    on = f" on {values}" if (values := listed(filter(None, (line.value for line in lines)))) else ""
    better = legs[0][0].better
    if len(legs) == 1:
        text = f"{topic} {_verb(legs[0])} from {turns[0]} to {with_noun(name, turns[1])}: {_by_line(lines, group)}"
    elif len(legs) == 2:
        against = (f"{_sizes(legs[0])} against {turns[0]}", f"{_sizes(legs[1], back=True)} against {turns[2]}")
        text = f"{topic} is {'best' if better else 'worst'} at {with_noun(name, turns[1])}{on}: {', '.join(against)}"
    else:
        steps = [f"{_sizes(leg)} from {a} to {b}" for leg, a, b in zip(legs, turns, turns[1:], strict=False)]
        text = f"{topic} rises and falls with the {dimension(name).label}{on}: {', '.join(steps)}"
    notes = [
        say_left_out(group, group.lines).lstrip("; "),
        *_unsure(group, lines),
        *_others(evidence, group, lines),
    ]
    return "; ".join(filter(None, [text, *notes])) + "."


def _verb(changes: Sequence[Change]) -> str:
    upward = changes[0].entry.measure.higher_is_better
    if upward and all(TWICE[0] <= change.ratio <= TWICE[1] for change in changes):
        return "doubles"
    return "improves" if changes[0].better else "worsens"


def _by_line(lines: Sequence[TableLine], group: LineGroup) -> str:
    """`+101 % on ext4 and +95 % on xfs (95 % intervals within …)`."""
    changes = [line.changes[0] for line in lines]
    alone = len(group.lines) == 1
    texts = [
        say_change(line.changes[0].ratio) + ("" if alone or not line.value else f" on {line.value}") for line in lines
    ]
    return f"{listed(texts)} ({say_together(changes)})"


def _sizes(changes: Sequence[Change], *, back: bool = False) -> str:
    """`+300 % (95 % interval …)`, `+300 % to +310 % (95 % intervals within …)`; `back`: of the earlier cells."""
    if back:
        changes = [Change(each.against, each.entry, 1 / each.ratio, 1 / each.high, 1 / each.low) for each in changes]
    ratios = [change.ratio for change in changes]
    low, high = say_change(min(ratios)), say_change(max(ratios))
    return f"{low if low == high else f'{low} to {high}'} ({say_together(changes)})"


def _others(evidence: FindingEvidence, group: LineGroup, lines: Sequence[TableLine]) -> Iterator[str]:
    """`btrfs unchanged (within ± 1.2 %)`, `f2fs and jfs undecided`: the lines that the sentence is not about."""
    alike: dict[tuple[object, ...], list[TableLine]] = defaultdict(list)
    for line in group.lines:
        if line not in lines:
            flat = line.bound(evidence) is not None
            shape = (line.changes[0].better, *group.turns(line)) if line.changes else (flat,)
            alike[shape].append(line)
    for same in alike.values():
        yield f"{listed([line.value for line in same], most=MOST_NAMED)} {_in_few_words(evidence, group, same)}"


def _in_few_words(evidence: FindingEvidence, group: LineGroup, lines: Sequence[TableLine]) -> str:
    """The shape that these lines have."""
    changes, one = lines[0].changes, len(lines) == 1
    if not changes:
        bounds = [bound for line in lines if (bound := line.bound(evidence)) is not None]
        return f"unchanged (within {say_margin(max(bounds))})" if bounds else "undecided"
    better, turns = changes[0].better, group.turns(lines[0])
    if len(changes) == 1:
        return f"{'improve' if better else 'worsen'}{'s' if one else ''} from {turns[0]} to {turns[1]}"
    if len(changes) == 2:
        return f"{'is' if one else 'are'} {'best' if better else 'worst'} at {turns[1]}"
    return "rises and falls" if one else "rise and fall"


def _unsure(group: LineGroup, lines: Sequence[TableLine]) -> Iterator[str]:
    """`4 MiB undecided on xfs`: cells whose means do not fit the sentence, although no test confirms it."""
    values: dict[str, list[str]] = defaultdict(list)
    for line in lines:
        for entry in line.unsure:
            values[entry.parts[group.dimension]].append(line.value)
    for label, of_label in values.items():
        yield f"{label} undecided{_on(of_label, len(lines))}"


def say_left_out(group: LineGroup, lines: Sequence[TableLine]) -> str:
    """`; 16 MiB failed on xfs`: the cells that could not be compared; "" if there are none."""
    values: dict[tuple[str, str], list[str]] = defaultdict(list)
    for line in lines:
        for label, why in line.left_out:
            values[label, why].append(line.value)
    labels: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (label, why), of_label in values.items():
        labels[why, _on(of_label, len(lines))].append(label)
    return "".join(f"; {listed(of_why)} {why}{on}" for (why, on), of_why in labels.items())


def _on(values: Sequence[str], total: int) -> str:
    return "" if len(values) == total or not values[0] else f" on {listed(values, most=MOST_NAMED)}"


def of_unmoved(table: TableCells, evidence: FindingEvidence, ends: str, groups: Sequence[LineGroup]) -> str:
    """`Write and rewrite do not depend on the record size (1 MiB to 16 MiB): within ± 0.4 %.`"""
    name = groups[0].dimension
    subjects = list(dict.fromkeys(table.words(group.first, name) for group in groups))
    topic = upper(listed(subjects)) if all(subjects) else subject(table, groups[0].first, name)
    bound = max(line.bound(evidence) or 0.0 for group in groups for line in group.lines)
    verb = "do" if len(subjects) > 1 else "does"
    return f"{topic} {verb} not depend on the {dimension(name).label} ({ends}): within {say_margin(bound)}."
