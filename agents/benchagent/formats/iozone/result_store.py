"""Stores the numbers of a text's runs. Runs with the same settings are repetitions; others stay separate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from benchagent.formats.model import Param, Result, ResultKey
from benchagent.formats.reading.collector import Collector, GatheredValues, params_key, result_of
from benchagent.formats.reading.grid import GridResults, NumberGrid, merged

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
        """The cells of ``cells`` that reports of one test have brought, by file size and record size."""
        return self._matrices.setdefault((test, metric), {})

    def grid(self, unit: PrintedUnit, label: str) -> NumberGrid:
        """The table of one unit; rows with the same label before them are of one kind."""
        found = self._grids.get((unit.metric, label))
        if found is None:
            found = self._grids[unit.metric, label] = NumberGrid(COLUMNS, unit.metric, unit.to_base, TOO_FAST)
        return found

    def count(self) -> int:
        """How many results there will be."""
        grids = [(params_key(_named(label)), grid) for (_, label), grid in self._grids.items()]
        lone = sum(
            not any(params == key.params and grid.has(key) for params, grid in grids) for key in self.cells.cells()
        )
        return lone + sum(grid.count() for _, grid in grids)

    def results(self, apart: Mapping[str, Param]) -> Iterator[Result]:
        """The results, tables first; ``apart`` goes into the params of each."""
        cells, taken = self.cells.cells(), set()
        for (_, label), grid in self._grids.items():
            named = _named(label)
            if not cells:
                yield from grid.results(dict(params_key({**apart, **named})))
                continue
            for key, found in grid.cells(params_key({**apart, **named})):
                plain = key._replace(params=params_key(named))
                if plain in cells:
                    taken.add(plain)
                    yield merged(key, found, cells[plain])
                else:
                    yield result_of(key, found)
        for key, found in cells.items():
            if key not in taken:
                yield result_of(_with(key, apart), found)


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

    def results(self) -> GridResults:
        """All results, made on first use."""
        stores = list(self._stores.values())
        apart = _apart([store.settings for store in stores])
        return GridResults(
            sum(store.count() for store in stores),
            lambda: (result for store, params in zip(stores, apart) for result in store.results(params)),
        )


def _apart(settings: list[dict[str, Param]]) -> list[dict[str, Param]]:
    """The settings in which each differs from the others. An option that a run lacks is false there."""
    names = {name for each in settings for name in each}
    differing = [name for name in sorted(names) if len({repr(each.get(name)) for each in settings}) > 1]
    flags = {name for name in differing if all(isinstance(each.get(name, True), bool) for each in settings)}
    return [{name: each.get(name, False) for name in differing if name in each or name in flags} for each in settings]


def shared(facts: Iterable[Mapping[str, Param]]) -> dict[str, Param]:
    """The facts that all runs share."""
    found = list(facts)
    return {
        name: value
        for name, value in (found[0].items() if found else ())
        if all(each.get(name) == value for each in found)
    }
