"""The work of `wml`: the Filebench workload as fsload read it.

Params name the flowops of each thread statement in their order; a workload with more than that has a digest too.
"""

from __future__ import annotations

from collections.abc import Mapping

from benchagent.formats.reading.runs import digest

from .described import Described, objects, size
from .mix import bounds

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
