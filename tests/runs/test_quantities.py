"""The quantities of runs are those of their results, counted and in the order of the documents."""

from collections import Counter
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.db.models import F
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchdb.compare.trend.complete import most_frequent
from benchdb.runs.models import Parse, Result, RunState
from benchdb.runs.quantities.columns import NAMES, Column, Quantities
from benchdb.runs.quantities.reading import quantities_of
from benchdb.runs.store.packed_quantities import canonical
from benchdb.runs.store.results import store_parse, stored_results
from tests.support.documents import KIB, MIB, document, result
from tests.support.store import store_run

TESTS, SIZES, PARAMS = ("write", "read", "reread"), (None, 4 * KIB, MIB), ({}, {"files": 9}, {"b": 1, "a": "x"})
PLACES = [(test, size, params) for test in TESTS for size in SIZES for params in PARAMS]
RUNS = st.lists(st.lists(st.sampled_from(range(len(PLACES))), min_size=1, max_size=6, unique=True), max_size=4)


def measured(places: list[int], tool: str) -> dict[str, Any]:
    """A document with these quantities."""
    workload = {"tool": tool, "tool_version": None, "command": [tool], "parameters": {}}
    results = [
        result([1.0, 2.0, 3.0], test, record_size=size, params=params)
        for test, size, params in (PLACES[place] for place in places)
    ]
    return document(results=results, workload=workload)


def counted(runs: list[UUID]) -> Counter[tuple[object, ...]]:
    """The number of these runs that have a quantity, from their results one by one."""
    stored = Result.objects.filter(run__in=runs, parse=F("run__runstate__current_parse")).select_related("run")
    return Counter(
        (
            *(one.run.tool, one.test, one.metric, one.unit, one.file_size, one.record_size, one.threads),
            canonical(one.params),
        )
        for one in stored
    )


def listed(quantities: Quantities) -> list[tuple[object, ...]]:
    """The quantities one by one."""
    columns = [quantities.columns[name] for name in NAMES]
    return [tuple(column.values[column.codes[i]] for column in columns) for i in range(len(quantities))]


@pytest.mark.django_db
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(RUNS)
def test_they_are_those_of_the_results(owner: User, places: list[list[int]]) -> None:
    runs = [store_run(owner, measured(of_run, ("fsload", "iozone")[i % 2])).pk for i, of_run in enumerate(places)]

    found = quantities_of(runs, 0)

    rows = listed(found)
    assert (dict(zip(rows, found.runs.tolist(), strict=True)), len(rows)) == (counted(runs), len(set(rows)))
    for name, at in zip(NAMES, range(len(NAMES)), strict=True):
        assert found.values(name, found.everything()) == list(dict.fromkeys(row[at] for row in rows))
    for place in range(len(rows)):
        mask = np.arange(len(rows)) == place
        assert Result.objects.filter(run__in=runs, ordinal__in=found.ordinals(mask), test=rows[place][1]).exists()


def test_a_quantity_comes_where_the_first_document_has_it(owner: User) -> None:
    one, other = store_run(owner, measured([0, 1], "iozone")), store_run(owner, measured([4, 0], "iozone"))

    found = quantities_of([one.pk, other.pk], 0)

    places = [(row[1], row[5], row[7]) for row in listed(found)]
    assert places == [(test, size, canonical(params)) for test, size, params in (PLACES[0], PLACES[4], PLACES[1])]
    assert (found.runs.tolist(), found.ordinals(found.having("test", ["write"]))) == ([2, 1, 1], [0, 1])


def test_another_reading_has_its_own_under_the_ordinals_of_its_results(owner: User) -> None:
    run = store_run(owner, measured([0, 5, 9], "iozone"))
    _, columns = stored_results(run.pk, 1)
    store_parse(run.pk, 2, "later", np.array([7, 2, 5]), columns)

    RunState.objects.filter(pk=run.pk).update(current_parse=2)
    found = quantities_of([run.pk], 0)

    assert found.ordinals(found.everything()) == [2, 5, 7]
    assert [row[1] for row in listed(found)] == [TESTS[0], TESTS[1], TESTS[0]]
    assert found.ordinals(found.having("test", [TESTS[1]])) == [5]


def test_no_runs_have_none(db: None) -> None:
    found = quantities_of([], 0)
    assert (len(found), found.values("test", found.everything())) == (0, [])
    assert found.combinations(("test", "metric"), found.everything()) == []
    assert found.ordinals(found.everything()) == []


def test_a_reading_without_results_has_none(owner: User) -> None:
    run = store_run(owner)
    Parse.objects.create(run=run, number=2, parser_version="later")
    RunState.objects.filter(pk=run.pk).update(current_parse=2)
    assert len(quantities_of([run.pk], 0)) == 0


class CountingText(str):
    """A text that counts how often one is compared."""

    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        CountingText.compared += 1
        return str.__eq__(self, other)


def test_masks_take_time_in_proportion_to_the_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not to their square, by which one address kept a process busy for minutes."""
    monkeypatch.setattr(CountingText, "compared", 0)
    values = [CountingText(number) for number in range(1000)]
    wanted = [CountingText(number) for number in range(0, 1000, 2)]
    quantities = Quantities({"test": Column.of(values)}, np.ones(1000, dtype=np.int64))

    assert quantities.having("test", wanted).tolist() == [True, False] * 500
    assert most_frequent([*values, values[7]]) == "7"
    assert CountingText.compared < 10 * len(values)
