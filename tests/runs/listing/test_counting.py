"""The counts beside the filters of `/runs/`, against their definition."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchdb.catalog.models import Machine
from benchdb.facts.dimension import DimensionValue
from benchdb.http.requests import Reader
from benchdb.runs.listing import counting
from benchdb.runs.listing.counting import MOST_OPTIONS, Counted, count
from benchdb.runs.listing.facet_rows import KeptFacets
from benchdb.runs.listing.filters import FACETS, RANGES
from benchdb.runs.listing.label_sets import KeptLabels
from benchdb.runs.listing.query import RunListQuery
from benchdb.runs.listing.search import listed, page
from benchdb.runs.models import Run, RunState
from benchdb.runs.services import delete_run
from tests.runs.listing.facet_rows import kernels, new_facets, new_run
from tests.support.store import make_user, store_run

NOBODY = AnonymousUser()

NAMES = ("alpha", "beta", "Beta", "beta 2")
SIZES = (None, 1024, 65536, 2**30)
ENVIRONMENT = {
    **dict.fromkeys(("cpu_model", "kernel_release", "os_name", "virtualization", "governor"), (None, *NAMES)),
    "cpu_threads": (None, 4, 16),
    "memory": SIZES,
}
TARGET = {
    **dict.fromkeys(("file_system", "raid_level", "layers", "disk_model", "transport"), (None, *NAMES)),
    "scheduler": (None, "none"),
    "block_size": SIZES,
    "raid_chunk": SIZES,
    "raid_members": (None, 2),
    "read_ahead": SIZES,
    "mkfs_options": ("", "-b 4096"),
    "mount_options": ([], ["rw"], ["rw", "noatime"]),
}
OWN = {
    "tool": NAMES,
    "tool_version": (None, "1", "2"),
    "cache_regime": ("cold", "warm"),
    "article": (None, "t2"),
    "source": ("measured", "published"),
    "tests": ([], ["read"], ["read", "write"]),
}
STATE = {
    "state": ("ready", "failed"),
    "visibility": ("private", "unlisted", "public"),
    "withdrawn": (False, True),
    "labels": ({}, {"plan": "a"}, {"plan": "a", "x": "1"}, {"a": "b=c", "a=b": "c"}),
    "owner": (0, 1),
}
# By facet: where its value is in the above, if under another name.
COLUMNS = {
    "cpu": "cpu_model",
    "kernel": "kernel_release",
    "os": "os_name",
    "disk": "disk_model",
    "test": "tests",
    "mount_option": "mount_options",
    "cache": "cache_regime",
}
SEARCHED = (
    *("cpu_model", "kernel_release", "os_name", "machine", "tool"),
    *("file_system", "disk_model", "transport", "layers"),
)


@dataclass(frozen=True)
class Stored:
    """A run with the values of its columns."""

    pk: UUID
    row: int
    columns: Mapping[str, Any]

    def values(self, facet: str, reader: int | None) -> set[DimensionValue]:
        """The values of the run in a facet, {None} for none."""
        if facet == "owner":
            return {"me" if self.columns["owner"] == reader else "others"}
        if facet == "machine":
            return {str(self.columns["machine_id"])}
        if facet == "label":
            return {f"{key}={value}" for key, value in self.columns["labels"].items()} or {None}
        if facet == "mkfs_options":
            return {self.columns[facet] or "defaults"}
        value = self.columns[COLUMNS.get(facet, facet)]
        if isinstance(value, list):
            return set(value) or {None}
        return {value}

    def is_listed(self, reader: int | None) -> bool:
        return not self.columns["withdrawn"] and (
            self.columns["visibility"] == "public" or self.columns["owner"] == reader
        )

    def has(self, words: str) -> bool:
        return all(
            any(word.lower() in (self.columns[name] or "").lower() for name in SEARCHED) for word in words.split()
        )

    def passes(self, facet: str, query: RunListQuery, reader: int | None) -> bool:
        values = self.values(facet, reader)
        chosen = query.facets.get(facet)
        low, high = query.ranges.get(facet, (None, None))
        size = next(iter(values)) if low is not None or high is not None else 0
        return (not chosen or bool(values & set(chosen))) and (
            size is not None and (low is None or int(size) >= low) and (high is None or int(size) <= high)
        )


def _drawn(columns: Mapping[str, tuple[Any, ...]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({name: st.sampled_from(values) for name, values in columns.items()})


ROWS = st.lists(st.tuples(_drawn(ENVIRONMENT), _drawn(TARGET), _drawn(OWN), st.integers(0, 2)), min_size=1, max_size=5)
RUNS = st.lists(st.tuples(st.integers(0, 4), _drawn(STATE)), max_size=12)


@st.composite
def queries(draw: st.DrawFn, runs: list[Stored]) -> RunListQuery:
    """A query of values that runs have and of one that none has."""

    def values_of(name: str) -> st.SearchStrategy[str | None]:
        found = {value for run in runs for reader in (0, None) for value in run.values(name, reader)}
        return st.sampled_from([*sorted(found - {None}, key=str), None, "none such"])

    chosen = draw(st.lists(st.sampled_from(sorted(FACETS)), max_size=3, unique=True))
    ends = st.sampled_from([None, 1024, 65535, 2**30])
    ranges = {name: (draw(ends), draw(ends)) for name in RANGES if draw(st.booleans())}
    return RunListQuery(
        facets={name: tuple(draw(st.lists(values_of(name), min_size=1, max_size=3, unique=True))) for name in chosen},
        ranges={name: pair for name, pair in ranges.items() if pair != (None, None)},
        words=draw(st.sampled_from(["", "", "beta", "BET lph", "2"])),
        finds=draw(
            st.dictionaries(st.sampled_from(sorted(FACETS)), st.sampled_from(["bet", "A", "6", "µ"]), max_size=2)
        ),
    )


def defined(runs: list[Stored], query: RunListQuery, reader: int | None) -> Counted:
    """The counts by definition: those of a facet respect all filters but its own."""
    candidates = [run for run in runs if run.is_listed(reader) and run.has(query.words)]
    failed = {run.pk: {name for name in FACETS if not run.passes(name, query, reader)} for run in candidates}
    facets = {}
    machines = machine_names([run for run in runs if run.is_listed(reader)])
    for name, facet in FACETS.items():
        counts = Counter(value for run in candidates if failed[run.pk] <= {name} for value in run.values(name, reader))
        find, chosen = query.finds.get(name, "").casefold(), query.facets.get(name, ())
        found = [
            pair for pair in counts.items() if find in facet.on_page(pair[0], machines).casefold() or pair[0] in chosen
        ]
        shown = machines if name == "machine" else {}
        facets[name] = sorted(found, key=lambda pair: (-pair[1], pair[0] is None, shown.get(pair[0], pair[0])))
    matching = [run for run in candidates if not failed[run.pk]]
    return Counted(len(matching), sorted({run.row for run in matching}), facets, machines)


def machine_names(runs: list[Stored]) -> dict[str, str]:
    """The names of the machines of these runs, with the id after names of several machines."""
    names = {str(run.columns["machine_id"]): run.columns["machine"] for run in runs}
    several = [name for name in names.values() if [*names.values()].count(name) > 1]
    return {pk: f"{name} (machine {pk})" if name in several else name for pk, name in names.items()}


def store(owners: list[User], rows: list[Any], runs: list[Any]) -> list[Stored]:
    """Store rows of `Facets` and runs that share them; the machines of the third place have one name."""
    names = (("beta-1", 0), ("alpha", 0), ("alpha", 1))
    facets = []
    for environment, target, own, machine in rows:
        name, owner = names[machine]
        facets.append((new_facets(owners[owner], name, environment, target, own), name, environment | target | own))
    stored = []
    for row, state in runs:
        kept, name, columns = facets[row % len(facets)]
        changing = {name: state[name] for name in ("state", "visibility", "labels")}
        withdrawn = timezone.now() if state["withdrawn"] else None
        pk = new_run(kept, owners[state["owner"]], withdrawn_at=withdrawn, **changing)
        stored.append(Stored(pk, kept.pk, {**columns, **state, "machine": name, "machine_id": kept.machine_id}))
    return stored


@pytest.fixture
def owners(owner: User) -> list[User]:
    return [owner, make_user("other")]


@pytest.fixture(autouse=True)
def kept(monkeypatch: pytest.MonkeyPatch) -> KeptFacets:
    """What a new process of the web server keeps."""
    kept = KeptFacets(most=3)
    monkeypatch.setattr(counting, "kept", kept)
    monkeypatch.setattr(counting, "kept_labels", KeptLabels())
    return kept


def counted(reader: Reader = NOBODY, query: RunListQuery | None = None) -> Counted:
    query = query or RunListQuery()
    return count(listed(reader, query), query, reader)


@settings(suppress_health_check=list(HealthCheck), deadline=None, max_examples=60)
@given(rows=ROWS, runs=RUNS, data=st.data())
def test_counts_are_those_of_their_definition(owners: list[User], rows: Any, runs: Any, data: st.DataObject) -> None:
    RunState.objects.all().delete()
    Run.objects.all().delete()
    stored = store(owners, rows, runs)
    query = data.draw(queries(stored))

    for place, reader in ((None, NOBODY), (0, owners[0])):
        found = counted(reader, query)

        assert found == defined(stored, query, place)
        assert page_of(reader, query, found) == matching(stored, query, place)


def page_of(reader: Reader, query: RunListQuery, found: Counted) -> list[UUID]:
    return [run.pk for run in page(listed(reader, query), query, found, reader).runs]


def matching(stored: list[Stored], query: RunListQuery, reader: int | None) -> list[UUID]:
    """The ids of the list, newest first."""
    found = [
        run.pk
        for run in stored
        if run.is_listed(reader) and run.has(query.words) and all(run.passes(name, query, reader) for name in FACETS)
    ]
    return sorted(found, reverse=True)


def named(found: Counted, facet: str) -> dict[str | None, int]:
    return dict(found.facets[facet])


def machines_of(found: Counted) -> list[tuple[str, int]]:
    """The names of machines without their ids, with their numbers of runs."""
    return [(found.machines[str(pk)].partition(" (")[0], runs) for pk, runs in found.facets["machine"]]


def test_what_was_changed_counts_at_once(owner: User) -> None:
    for _ in range(3):
        new_run(new_facets(owner, "old name"), owner)
    assert (counted().total, machines_of(counted())) == (3, 3 * [("old name", 1)])
    first, second, _ = RunState.objects.order_by("pk")

    Machine.objects.filter(pk=first.run.machine_id).update(name="new name")
    assert machines_of(counted()) == [("new name", 1), *2 * [("old name", 1)]]

    RunState.objects.filter(pk=first.pk).update(labels={"plan": "a"})
    assert named(counted(), "label") == {"plan=a": 1, None: 2}

    RunState.objects.filter(pk=first.pk).update(withdrawn_at=timezone.now())
    RunState.objects.filter(pk=second.pk).update(visibility="private")
    assert (counted().total, machines_of(counted())) == (1, [("old name", 1)])
    assert named(counted(owner), "visibility") == {"private": 1, "public": 1}


def test_what_was_deleted_counts_nowhere(owner: User) -> None:
    run, other = store_run(owner), store_run(owner, file_system="xfs")
    assert named(counted(), "file_system") == {"ext4": 1, "xfs": 1}

    delete_run(other)
    assert named(counted(), "file_system") == {"ext4": 1}
    assert counted(query=RunListQuery(facets={"file_system": ("xfs",)})).total == 0

    delete_run(run)
    assert counted() == Counted(facets={name: [] for name in FACETS})


def test_the_number_of_queries_does_not_grow_with_the_rows(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """One for the runs, one for the names of machines, and two more if rows and labels are seen for the first time."""
    for number in (1, 30):
        for i, run in enumerate(kernels(owner, number)):
            RunState.objects.filter(run=run).update(labels={"i": f"{number} {i}"})
        monkeypatch.setattr(counting, "kept", KeptFacets())
        monkeypatch.setattr(counting, "kept_labels", KeptLabels())
        for expected in (4, 2):
            with CaptureQueriesContext(
                connection,
            ) as captured:
                counted()
            assert len(captured) == expected


def test_the_most_frequent_of_many_values_are_counted_and_a_search_finds_the_others(owner: User) -> None:
    kernels(owner, MOST_OPTIONS + 20)
    kernels(owner, 1)

    found = counted().facets["kernel"]
    assert (found[0], len(found)) == (("6.0", 2), MOST_OPTIONS)
    assert f"6.{MOST_OPTIONS - 1}" not in dict(found)  # the last in the order of texts is 6.99
    query = RunListQuery(finds={"kernel": "6.99"}, facets={"kernel": ("6.1",)})
    assert counted(query=query).facets["kernel"] == [("6.1", 1), ("6.99", 1)]


def test_labels_of_few_runs_are_left_out_when_a_process_would_keep_too_many(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs with 64 labels that no other run had cost each reader of the list a second, and the process its memory."""
    facets = new_facets(owner)
    for labels in (*[{"plan": "a"}] * 3, *[{}] * 2, *({"i": str(i), "j": str(i)} for i in range(12))):
        new_run(facets, owner, labels=labels)
    monkeypatch.setattr(counting, "kept_labels", KeptLabels(most=10))

    for _ in range(2):
        found = named(counted(), "label")
        assert (found["plan=a"], found[None], len(found) <= 10) == (3, 2, True)
        rare = counted(query=RunListQuery(facets={"label": ("i=0", "j=11")}))
        assert (rare.total, named(rare, "label")["plan=a"]) == (2, 3)


def test_rare_options_and_tests_are_not_counted_when_there_are_too_many(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A quarter of a million options and tests that one run has each cost every visit of a list a second."""
    monkeypatch.setattr(counting, "kept", KeptFacets(most_texts=10))

    for i in range(12):
        own = {"tests": ["read", f"t{i}", f"u{i}"]}
        facets = new_facets(owner, target={"mount_options": ["data=ordered", f"a{i}", f"b{i}"] if i else []}, own=own)
        new_run(facets, owner)
        found = counted()
        options, tests = named(found, "mount_option"), named(found, "test")
        assert (options.get("data=ordered", 0), tests["read"]) == (i, i + 1)
        assert max(len(options), len(tests)) <= 11

    rare = counted(query=RunListQuery(facets={"mount_option": ("a1", "b11")}))
    assert (rare.total, named(rare, "test")["read"]) == (2, 2)
