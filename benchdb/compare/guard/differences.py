"""The differences between runs, in the words of a page."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from benchdb.compare.content import ChangedFact, Difference, DifferentValue
from benchdb.compare.query.dimensions import dimension, key_of_param, labels_of_runs
from benchdb.compare.query.selection import Selection
from benchdb.facts.dimension import DimensionValue
from benchdb.facts.fact import Fact
from benchdb.facts.file_to_memory import usable_memory
from benchdb.facts.guarding import SKIP, Column, Guard, Weight, apart, matches, within
from benchdb.facts.machine import MACHINE
from benchdb.facts.words import say_ratio
from benchdb.runs.cells.verdict import CellWarning
from benchdb.runs.costs import before_sets
from benchdb.runs.models import Run
from benchdb.wording.sizes import parse_size

from .facts import columns
from .lines import days_apart, not_known

RunKey = tuple[DimensionValue, ...]  # the values of a run in some dimensions

# Dimensions that name runs and no varied fact: a single severe difference is then the purpose of the comparison.
OPEN = ("run", "campaign", "campaign_point", "label:*")
RUNS_DIFFER = "runs_differ"  # the code of the warning
PLACES = ("file_size", "record_size", "threads")


def differences(selection: Selection, runs: Sequence[Run], rivals: Iterable[Collection[str]] = ()) -> list[Difference]:
    """The differences of a table, severe ones first, with labels of the factor; empty if nothing differs.

    Facts that differ only between articles and measured runs have the labels of these. `rivals` are the ids of runs
    whose cells are compared. A fact with the same values in every row, and with one value among rivals, is no
    difference: the runs measured different things.
    """
    if len(runs) < 2:
        return []
    varied = selection.axes | {name for name in PLACES if _is_fixed(selection, name)}
    # A param of results repeats the parameter of the workload.
    varied |= {f"parameter:{key}" for name in selection.axes if (key := key_of_param(name))}
    run_labels = _labels_of_runs(selection, runs)
    articles = labels_of_runs(["publication"], runs) if "publication" in selection.axes else run_labels
    all_columns = list(columns(runs, varied, _file_to_memory(selection)))
    differing = [_softened(column, selection, runs) for column in all_columns if column.differs]
    keys = [_key(tuple(selection.axes), run) for run in runs]
    if groups := {frozenset(ids) for ids in rivals}:
        before_sets(runs, groups)
        place = {str(run.id): index for index, run in enumerate(runs)}
        among = [[place[run] for run in ids if run in place] for ids in groups]
        differing = [
            column
            for column in differing
            if not _is_in_every_row(column, keys) or any(_among(column, places).differs for places in among)
        ]
    listed = [
        _difference(column, articles if _follows(column, articles) else run_labels, keys)
        for column in _without_single_severe(differing, selection)
    ]
    return [
        *sorted(listed, key=lambda difference: not difference.severe),
        *days_apart(runs, run_labels),
        *not_known(all_columns, run_labels),
    ]


def unlike_runs(
    selection: Selection, runs: Sequence[Run], cells: Iterable[Collection[str]]
) -> dict[frozenset[str], tuple[list[str], list[CellWarning]]]:
    """The facts in which the runs of a cell differ, and a warning if there are any, by the ids of the cell's runs.

    `cells` has the ids of the runs of each cell; cells of a single run are left out.
    """
    unlike: dict[frozenset[str], tuple[list[str], list[CellWarning]]] = {}
    sets = {frozenset(ids) for ids in cells if len(ids) > 1}
    before_sets(runs, sets)
    for run_ids in sets:
        cell_runs = [run for run in runs if str(run.id) in run_ids]
        differing = [column for column in columns(cell_runs, selection.axes) if column.differs]
        labels = ", ".join(column.label for column in differing)
        warning = CellWarning(RUNS_DIFFER, {}, f"The runs in this cell are not alike: {labels}.")
        unlike[run_ids] = [column.name for column in differing], [warning] if differing else []
    return unlike


def changed(runs: Sequence[Run], ignored: Collection[str]) -> list[int]:
    """The indices of runs that differ from the run before in more than the ignored facts; one pass over the columns."""
    indices: set[int] = set()
    for column in columns(runs, frozenset()):
        if column.name not in ignored and column.differs:
            pairs = enumerate(pairwise(column.values), start=1)
            indices |= {i for i, pair in pairs if None not in pair and SKIP not in pair and not column.same(pair)}
    return sorted(indices)


def changes(before: Run, after: Run) -> list[ChangedFact]:
    """The changes between two runs of a series, without facts that are unknown for one."""
    return _changed(columns([before, after], frozenset()))


def machine_changes(before: Run, after: Run) -> list[ChangedFact]:
    """The `changes` of the machine without its storage. Reads only the environments of the runs."""
    runs = [before, after]
    of_machine = [(fact, fact.guard) for fact in MACHINE if fact.guard is not None and fact.name != "machine"]
    of_machine.sort(key=lambda guarded: guarded[1].weight)
    return _changed(column for fact, guard in of_machine for column in guard.columns(fact, runs, frozenset()))


def _changed(all_columns: Iterable[Column]) -> list[ChangedFact]:
    with_texts = [(column, _texts(column)) for column in all_columns if column.differs]
    return [
        ChangedFact(column.name, column.label, column.is_severe, before=texts[0], after=texts[1])
        for column, texts in sorted(with_texts, key=lambda column_texts: not column_texts[0].is_severe)
    ]


def _is_fixed(selection: Selection, name: str) -> bool:
    """Whether a filter leaves all cells one value of this dimension."""
    return len(_sizes(selection, name)) == 1 and (name not in selection.axes or len(selection.filter(name)) == 1)


def _sizes(selection: Selection, name: str) -> list[str]:
    """The selected values without `none`, which keeps tests that have no size beside those of one size."""
    return [text for text in selection.filter(name) if text != dimension(name).word]


def _file_to_memory(selection: Selection) -> list[Fact]:
    """File size ÷ memory, which decides whether a cache was measured, if the table has one file size."""
    if not _is_fixed(selection, "file_size"):
        return []
    size = parse_size(_sizes(selection, "file_size")[0])

    def of(run: Run) -> float | None:
        usable = usable_memory(run)
        return size / usable if usable else None

    guard = Guard(weight=Weight.LAST, component="memory", of=of, say=say_ratio, severe=apart(0.5), same=within(0.05))
    return [Fact("file_to_memory", "file size ÷ memory", guard=guard)]


def _labels_of_runs(selection: Selection, runs: Sequence[Run]) -> list[str]:
    """The label of each run: from the factor, else from the axes, else its machine or its number."""
    for names in (selection.factor_names, tuple(sorted(selection.axes))):
        if any(_of_runs(name) for name in names):
            return labels_of_runs(names, runs)
    machines = labels_of_runs(["machine"], runs)
    return machines if len(set(machines)) > 1 else [f"run {i}" for i in range(1, len(runs) + 1)]


def _of_runs(name: str) -> bool:
    return dimension(name).of is not None


def _key(names: Sequence[str], run: Run) -> RunKey:
    """The values of a run in these dimensions."""
    return tuple(of_run(run) for name in names if (of_run := dimension(name).of) is not None)


def _softened(column: Column, selection: Selection, runs: Sequence[Run]) -> Column:
    """The column, not severe if it is hardware and machines are compared, or if it differs only between splits."""
    if not column.is_severe:
        return replace(column, severe=False)
    splits = [_key(selection.split_names, run) for run in runs]
    machines = "machine" in selection.axes and column.hardware
    return replace(column, severe=not machines and any(True for _ in _differing(column, splits)))


def _without_single_severe(differing: Sequence[Column], selection: Selection) -> list[Column]:
    """The columns; a single severe one is not severe if the axes only name runs, because they compare just that."""
    varied = [name for name in selection.axes if _of_runs(name)]
    severe = [column for column in differing if column.severe]
    if varied and all(matches(name, OPEN) for name in varied) and len(severe) == 1:
        return [replace(column, severe=False) for column in differing]
    return list(differing)


def _differing(column: Column, keys: Sequence[RunKey]) -> Iterator[RunKey]:
    """The keys within which the column differs."""
    for key in dict.fromkeys(keys):
        of_key = [value for value, run_key in zip(column.values, keys, strict=True) if run_key == key]
        if replace(column, values=of_key).differs:
            yield key


def _is_in_every_row(column: Column, keys: Sequence[RunKey]) -> bool:
    """Whether the runs of each key have the same values of the column together."""
    values: dict[RunKey, set[str]] = {}
    for key, value in zip(keys, column.values, strict=True):
        values.setdefault(key, set()).add(repr(value))
    return len(set(map(frozenset, values.values()))) == 1


def _among(column: Column, places: Iterable[int]) -> Column:
    return replace(column, values=[column.values[place] for place in places])


def _follows(column: Column, labels: Sequence[str]) -> bool:
    """Whether the runs of each label have one value of the column."""
    pairs = {(label, repr(value)) for label, value in zip(labels, column.values, strict=True)}
    return len(pairs) == len(set(labels))


def _difference(column: Column, run_labels: Sequence[str], keys: Sequence[RunKey]) -> Difference:
    listed: dict[str, dict[str, None]] = {}
    for value, text, label in zip(column.values, _texts(column), run_labels, strict=True):
        if value is not SKIP:
            listed.setdefault(text, {})[label] = None
    mixed = set(_differing(column, keys))
    return Difference(
        column.name,
        column.label,
        column.is_severe,
        values=[DifferentValue(text, list(labels)) for text, labels in listed.items()],
        inside=list(dict.fromkeys(label for label, key in zip(run_labels, keys, strict=True) if key in mixed)),
    )


def _texts(column: Column) -> list[str]:
    """The values for people; different values with the same text are numbered."""
    texts = ["unknown" if value is None else "" if value is SKIP else column.say(value) for value in column.values]
    distinct_texts = {text for text, value in zip(texts, column.values, strict=True) if value not in (None, SKIP)}
    if len(distinct_texts) > 1:
        return texts
    distinct: list[object] = []
    for value in column.known:
        if value not in distinct:
            distinct.append(value)
    return [
        f"{text} ({distinct.index(value) + 1})" if value in distinct else text
        for text, value in zip(texts, column.values, strict=True)
    ]
