"""Stores the numbers of a text's runs. Runs with the same settings are repetitions; others stay separate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from benchagent.formats.model import Param, Result, ResultKey
from benchagent.formats.reading.collector import Collector, GatheredValues, MadeResults, params_key, result_of
from benchagent.formats.reading.grid import NumberGrid, merged
from benchagent.formats.reading.places import shortest

from .units import COLUMNS, TOO_FAST, PrintedUnit

ParamsKey = tuple[tuple[str, Param], ...]


class ResultStore:
    """The numbers of all runs of a text that share their settings."""

    def __init__(self, settings: Mapping[str, Param]) -> None:
        self.settings = dict(settings)
        self.cells = Collector()
        self._grids: dict[tuple[str, str], NumberGrid] = {}
        self._matrices: dict[tuple[str, str], dict[tuple[int, int], GatheredValues]] = {}

    def matrix(self, test: str, metric: str) -> dict[tuple[int, int], GatheredValues]:
        """The cells of ``cells`` that come from reports of one test, by file size and record size."""
        return self._matrices.setdefault((test, metric), {})

    def grid(self, unit: PrintedUnit, label: str) -> NumberGrid:
        """The table of one unit and one label; the label is a name before the rows."""
        table = self._grids.get((unit.metric, label))
        if table is None:
            table = self._grids[unit.metric, label] = NumberGrid(COLUMNS, unit.metric, unit.to_base, TOO_FAST)
        return table

    def count(self) -> int:
        """The number of results."""
        grids: dict[ParamsKey, list[NumberGrid]] = {}  # by the params of their cells
        for (_, label), grid in self._grids.items():
            grids.setdefault(params_key(_named(label)), []).append(grid)
        lone = sum(not any(grid.has(key) for grid in grids.get(key.params, ())) for key in self.cells.cells())
        return lone + sum(grid.count() for grid in self._grids.values())

    def most_values(self) -> int:
        """The number of values at most."""
        grids = sum(grid.most_values() for grid in self._grids.values())
        return grids + sum(len(cells.lines) for cells in self.cells.cells().values())

    def results(self, apart: Mapping[str, Param]) -> Iterator[Result]:
        """The results, tables first; ``apart`` is added to the params of each."""
        cells, taken = self.cells.cells(), set()
        for (_, label), grid in self._grids.items():
            named = _named(label)
            if not cells:
                yield from grid.results(dict(params_key({**apart, **named})))
                continue
            for key, values in grid.cells(params_key({**apart, **named})):
                plain = key._replace(params=params_key(named))
                if plain in cells:
                    taken.add(plain)
                    yield merged(key, values, cells[plain])
                else:
                    yield result_of(key, values)
        for key, values in cells.items():
            if key not in taken:
                yield result_of(_with(key, apart), values)


def _named(label: str) -> dict[str, Param]:
    """The params of a table's cells."""
    return {"label": label} if label else {}


def _with(key: ResultKey, apart: Mapping[str, Param]) -> ResultKey:
    return key._replace(params=params_key({**apart, **dict(key.params)})) if apart else key


class ResultStores:
    """All stores of a text, by their settings."""

    def __init__(self) -> None:
        self._stores: dict[ParamsKey, ResultStore] = {}

    def at(self, settings: dict[str, Param]) -> ResultStore:
        key = params_key(settings)
        if key not in self._stores:
            self._stores[key] = ResultStore(settings)
        return self._stores[key]

    def results(self) -> MadeResults:
        """All results, which are made when they are used."""
        stores = list(self._stores.values())
        apart = _apart([store.settings for store in stores])
        return MadeResults(
            sum(store.count() for store in stores),
            sum(store.most_values() for store in stores),
            lambda: chain.from_iterable(map(ResultStore.results, stores, apart)),
        )


# Settings that change no test's work, each with the reason. They are in params only if the runs of a text differ.
NO_WORK = {
    "tool_version": "it is a fact of the run",
    "directory": "it is a fact of the target",
    "place": "it is a fact of the target",
    "posix_threads": "threads in place of processes move the same data",
}


def _apart(settings: list[dict[str, Param]]) -> list[dict[str, Param]]:
    """For each entry, its options that change the work, and the other settings that are not equal in all entries."""
    directories = {str(item["directory"]) for item in settings if "directory" in item}
    if len(directories) > 1:
        settings = [_at_place(item, shortest(directories)) for item in settings]
    names = {name for item in settings for name in item}
    apart = names - NO_WORK.keys()
    apart |= {name for name in names if len({repr(item.get(name)) for item in settings}) > 1}
    return [{name: item[name] for name in sorted(apart) if name in item} for item in settings]


def _at_place(settings: Mapping[str, Param], places: Mapping[str, str]) -> dict[str, Param]:
    """The settings with the part in which the directories of a text differ, instead of the directory."""
    rest = {name: value for name, value in settings.items() if name != "directory"}
    return {**rest, "place": places[str(settings["directory"])]} if "directory" in settings else rest


def shared(facts: Iterable[Mapping[str, Param]]) -> dict[str, Param]:
    """The facts that all runs share."""
    all_facts = list(facts)
    return {
        name: value
        for name, value in (all_facts[0].items() if all_facts else ())
        if all(entry.get(name) == value for entry in all_facts)
    }
