"""The work behind a result: sizes and params from fsload's header, so that results of different work differ.

A result line has only what varies within one run of fsload. The parameters in the header complete it, by command:
sizes and numbers always, options only if they are not fsload's default.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Callable, NamedTuple

from benchagent.formats.model import Param
from benchagent.formats.reading.runs import digest
from benchagent.formats.vocabulary import IOZONE_STDIO_TESTS

from .described import LONGEST, Described, objects, options, size
from .mix import MIX_TESTS, bounds, only_kind, work_of_mix
from .result_line import MOST_PARAMS, JsonLine, Measurement, are_short, is_param

_PLAIN_FLOWOP = {"kind", "fd", "fileset", "io_size"}
_PLAIN_FILESET = {"name", "path", "entries", "size"}
_DEFAULTS = {"dirwidth": 0, "prealloc_percent": 100, "dirgamma": 1500}
_BETWEEN_FLOWOPS, _BETWEEN_LOOPS = ", ", "; "
_LONGEST = 150  # characters of the flowops in params


def work_of_model(_test: str, given: Mapping[str, object]) -> Described:
    """The work of the workload, which is the same for each of its flowops."""
    filesets, loops = objects(given.get("filesets")), objects(given.get("loops"))
    params = bounds(given, given.get("run_seconds"))
    flowops = [objects(loop.get("flowops")) for loop in loops]
    if words := _BETWEEN_LOOPS.join(_BETWEEN_FLOWOPS.join(str(each.get("kind")) for each in loop) for loop in flowops):
        params["flowops"] = words if len(words) <= _LONGEST else digest(words)
    if len(filesets) == 1 and (entries := size(filesets[0], "entries")):
        params["files"] = entries
    every = [flowop for loop in flowops for flowop in loop]
    records = {size(flowop, "io_size") for flowop in every if "io_size" in flowop}
    plain = len(loops) <= 1 and len(filesets) == 1 and len(records) <= 1 and _is_plain(filesets[0], every)
    if not plain:
        params["model"] = _digest(filesets, loops)
    file_size = size(filesets[0], "size") if len(filesets) == 1 else None
    return Described(file_size, records.pop() if len(records) == 1 else None, params)


def _is_plain(fileset: Mapping[str, object], flowops: list[Mapping[str, object]]) -> bool:
    """Whether numbers of files, size, kinds and one record size say everything."""
    known = all(name in _PLAIN_FILESET or value == _DEFAULTS.get(name) for name, value in fileset.items())
    return known and all(flowop.keys() <= _PLAIN_FLOWOP and flowop.get("fd") in (0, 1) for flowop in flowops)


def _digest(filesets: list[Mapping[str, object]], loops: list[Mapping[str, object]]) -> str:
    """The whole workload without paths, which are reported only."""
    return digest([[{name: value for name, value in each.items() if name != "path"} for each in filesets], loops])


WRITING = frozenset(("write", "rewrite", "random_write", "record_rewrite", "fwrite", "frewrite"))

# Parameters that change the work of no result, each with the reason.
NO_WORK = {
    "command": "each command has tests of its own",
    "directory": "it is a fact of the target",
    "repetitions": "each is one value of the same result",
    "seed": "it draws other data and another order of the same kind",
    "min_free": "fsload refuses to start with less; it changes nothing else",
    "no_latencies": "it only leaves out the time of single operations",
    "tests": "it selects results; each test does the same work",
    "file_sizes": "each size is the file size of its results",
    "record_sizes": "each size is the record size of its results",
    "keep": "it only leaves files behind after the measurement",
    "cold": "it is the cache regime of the run",
    "controller_cache": "it is a cache of the machine, which the flush before the deletion must exceed",
    "report_distributions": "it only prints more lines",
}


NAMES = {"wml": "flowops"}  # of tests that other tools measure too


class Works:
    """The work behind the results of one header, whose parameters these are.

    A header may describe many thread groups or flowops, so what depends on all of them is computed once for each kind
    of test, not for each of many results.
    """

    def __init__(self, parameters: JsonLine) -> None:
        self._parameters = parameters
        command = parameters.get("command")
        self._work_of = _COMMANDS.get(command) if isinstance(command, str) else None
        self._is_mix, self._is_model = self._work_of is work_of_mix, self._work_of is work_of_model
        self._only = only_kind(parameters)
        self._works: dict[str, _Work] = {}  # of the tests of a mix or a model

    def of(self, cell: Measurement) -> Measurement | None:
        """The measurement with the sizes and params of its work.

        None for a line that another one repeats: a mix of one kind of operation is that operation, and the line of the
        mix has all of its figures.
        """
        only = self._only
        if self._work_of is None or (only is not None and cell.test == only):
            return None if self._work_of else cell
        own = dict(cell.params)
        test = only if only is not None and cell.test == "mix" else NAMES.get(cell.test, cell.test)
        work = self._work(str(own.get("during", test)))
        return cell._replace(
            test=test,
            file_size=work.file_size if cell.file_size is None else cell.file_size,
            record_size=work.record_size if cell.record_size is None else cell.record_size,
            params=tuple(sorted({**work.that_fit(own), **own}.items())),
        )

    def params(self, test: str) -> tuple[tuple[str, Param], ...]:
        """The params of a test that has no line of results."""
        return tuple(sorted(self._work(test).that_fit({}).items())) if self._work_of else ()

    def _work(self, test: str) -> _Work:
        if not (self._is_mix or self._is_model):
            return self._computed(test)
        kind = test if self._is_mix and test in MIX_TESTS else ""
        if kind not in self._works:
            self._works[kind] = self._computed(kind)
        return self._works[kind]

    def _computed(self, test: str) -> _Work:
        work = self._work_of(test, self._parameters) if self._work_of else Described()
        params = {**work.params, **options(self._parameters, compressibility=0, interactive=0)}
        fit = len(params) <= MOST_PARAMS and all(is_param(name, value) for name, value in params.items())
        return _Work(work.file_size, work.record_size, params if fit else {"work": digest(params)}, fit)


class _Work(NamedTuple):
    """The sizes of a work in bytes, and its params. If these do not `fit` results, they are their digest."""

    file_size: int | None
    record_size: int | None
    params: dict[str, Param]
    fit: bool

    def that_fit(self, own: Mapping[str, Param]) -> dict[str, Param]:
        """The params, or their digest if results may not have so long ones beside their own."""
        if self.fit and not are_short({**self.params, **own}):
            return {"work": digest(self.params)}
        return self.params


def _sweep(test: str, given: JsonLine) -> Described:
    params = options(given, shared_file=False, close=False, direct=False, advice="none", same_record=False)
    if test in WRITING:
        params.update(options(given, fsync=False, sync="none"))
    if test not in IOZONE_STDIO_TESTS:
        params.update(options(given, method="read_write"))
    if given.get("engine") == "io_uring":  # the depth always, so that it can be an axis
        params.update(options(given, engine="sync", depth=0, batch=1, registered=False))
    if given.get("rate"):
        params.update(options(given, rate=0, arrivals=""))
    params.update(options(given, seconds=0, operations=0, steady_state=False))
    params.update(options(given, preallocate=False))  # the file's extents stay for the tests that read it
    return Described(params={**params, **(options(given, stride=17) if test == "strided_read" else {})})


def _tree(test: str, given: JsonLine) -> Described:
    numbers = ("levels", "directories") if test.startswith("directory") else ("levels", "directories", "files")
    params = _numbers(given, **{name: name for name in numbers})
    if test.startswith("directory"):
        return Described(params=params)
    file_size = size(given, "file_size")
    return Described(file_size, size(given, "block_size"), {**params, **options(given, fsync=False)})


def _metadata(test: str, given: JsonLine) -> Described:
    kind = test.partition("_")[0]
    synced = options(given, fsync=False) if test.endswith(("create", "unpack", "archive")) else {}
    if kind == "file":
        return Described(params={**_numbers(given, files="files"), **synced})
    if kind == "directory":
        return Described(params=_numbers(given, directories="directories", split="split"))
    if kind == "data":
        params = {**_numbers(given, files="data_files"), **synced}
        return Described(size(given, "data_size"), size(given, "block_size"), params)
    if given.get("tar"):
        return Described(params={"tar": _file_name(given["tar"]), **synced})
    numbers = _numbers(given, files="source_files", median_size="source_median")
    return Described(params={**numbers, **options(given, control_files=False), **synced})


def _bulk(test: str, given: JsonLine) -> Described:
    total, file_size = size(given, "total_size"), size(given, "file_size")
    in_each = size(given, "files_per_directory")
    params: dict[str, Param] = {}
    if total and file_size and in_each:
        files = total // file_size
        params = {"files": files, "directories": -(-files // in_each)}
        if files > in_each and files % in_each:  # the last directory has fewer
            params["files_per_directory"] = in_each
        params.update(options(given, fsync=False) if test == "create" else options(given, flush_multiple=2))
    return Described(file_size, size(given, "block_size"), params)


def _age(_test: str, given: JsonLine) -> Described:
    params = _numbers(given, fullness="fullness", overwrites="overwrites")
    files = {name: _file_name(given[name]) for name in _DISTRIBUTIONS if given.get(name)}
    return Described(params={**params, **files, **options(given, capacity=0, fallocate=False)})


_DISTRIBUTIONS = ("profile", "size_distribution", "age_distribution", "directory_distribution")
_COMMANDS: dict[str, Callable[[str, JsonLine], Described]] = {
    "sweep": _sweep,
    "mix": work_of_mix,
    "wml": work_of_model,
    "tree": _tree,
    "metadata": _metadata,
    "bulk": _bulk,
    "age": _age,
}


def _file_name(path: object) -> str:
    return path.rpartition("/")[2][:LONGEST] if isinstance(path, str) else ""


def _numbers(given: Mapping[str, object], **names: str) -> dict[str, Param]:
    """The numbers under these names, by the names of params."""
    found = {param: given.get(name) for param, name in names.items()}
    return {param: value for param, value in found.items() if isinstance(value, (int, float))}
