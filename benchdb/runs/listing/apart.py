"""What tells the runs of a list apart: columns that differ, and settings in which neighbours differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from uuid import UUID

from benchdb.runs.models import Run
from benchdb.wording.names import told_apart
from benchdb.wording.sizes import say_size
from benchdb.wording.words import cut

from .columns import COLUMNS, OF_FACET, USUAL, ListColumn
from .headlines import Overview
from .query import RunListQuery
from .search import RunPage

DROPPED = ("file_system", "machine")  # usual columns that a list can do without if all rows are equal
MOST_WORDS = 3  # of a cell
LONGEST_WORD = 40

Apart = dict[str, dict[UUID, str]]  # by column and run
Words = Callable[[Run], Iterable[str | None]]


def columns_of(
    list_query: RunListQuery, page: RunPage, overviews: Mapping[UUID, Overview], differing: Apart
) -> tuple[list[ListColumn], str]:
    """The columns of a list, and in words the values of those left out because all rows have the same.

    Columns that the reader chose stay. Else facets in force have columns besides the usual ones.
    """
    runs = page.runs
    if page.campaigns:
        return [COLUMNS[name] for name in USUAL], ""
    if list_query.columns != USUAL:
        return [COLUMNS[name] for name in list_query.columns], ""
    filtered = [OF_FACET.get(name, name) for name in [*list_query.facets, *list_query.ranges]]
    columns, same = [], []
    for name in dict.fromkeys([*USUAL[:2], *(name for name in filtered if name in COLUMNS), *USUAL[2:]]):
        cells = [COLUMNS[name].cell(run, overviews.get(run.id)) for run in runs]
        vary = any(cell != cells[0] for cell in cells[1:]) or any(differing.get(name, {}).values())
        if vary or (name in USUAL and (name not in DROPPED or len(cells) < 2)):
            columns.append(COLUMNS[name])
        elif name in DROPPED:
            same.append(", ".join(filter(None, [cells[0].text, cells[0].note])))
    return columns, " · ".join(same)


def apart(runs: Sequence[Run], machines: Mapping[str, str]) -> Apart:
    """By column (`workload`, `file_system`, `machine`) and run the settings that not all its neighbours have.

    Neighbours have the same tool, file system and machine: `noatime, read-ahead 2 MiB`. `machines` are names that were
    told apart among those of more runs.
    """
    groups: dict[tuple[str, str | None, int], list[Run]] = defaultdict(list)
    for run in runs:
        groups[run.tool, run.target.file_system, run.machine_id].append(run)
    texts: Apart = {column: {} for column in _WORDS}
    for column, words_of in _WORDS.items():
        for neighbours in groups.values():
            words = {run.id: [word for word in words_of(run) if word] for run in neighbours}
            common = set.intersection(*map(set, words.values()))
            for run_id, of_run in words.items():
                own = [cut(word, LONGEST_WORD) for word in of_run if word not in common]
                texts[column][run_id] = ", ".join(own[:MOST_WORDS])
    names = {**told_apart({str(run.machine_id): run.machine.name for run in runs}), **machines}
    for run in runs:
        if names[str(run.machine_id)] != run.machine.name:  # anybody may give a machine this name
            texts["machine"][run.id] = f"machine {run.machine_id} {texts['machine'][run.id]}".rstrip()
    return texts


def _workload(run: Run) -> Iterable[str | None]:
    yield f"{run.cache_regime} caches"


def _storage(run: Run) -> Iterable[str | None]:
    target = run.target
    yield f"mkfs {target.mkfs_options}" if target.mkfs_options else None
    yield from target.mount_options or ()
    yield f"chunk {say_size(target.raid_chunk)}" if target.raid_chunk else None
    yield f"read-ahead {say_size(target.read_ahead)}" if target.read_ahead is not None else None
    yield f"scheduler {target.scheduler}" if target.scheduler else None


def _machine(run: Run) -> Iterable[str | None]:
    environment = run.environment
    yield f"{say_size(environment.memory)} memory" if environment.memory else None
    yield environment.cpu_model
    yield environment.os_name
    yield environment.virtualization


_WORDS: dict[str, Words] = {"workload": _workload, "file_system": _storage, "machine": _machine}
