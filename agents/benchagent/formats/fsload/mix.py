"""The work of `mix`: the FFSB profile as fsload read it. Params have the names of FFSB's own format.

The profile of one file system and one thread group is given in full, with a digest if it has more than params can say.
"""

from __future__ import annotations

from collections.abc import Mapping

from benchagent.formats.ffsb.reader import READS, WRITES
from benchagent.formats.model import Param
from benchagent.formats.reading.runs import digest

from .described import Described, objects, options, size

_NAMES = {"num_files": "files", "num_dirs": "directories", "directio": "direct", "fsync_file": "fsync"}
# The fields that become sizes or params; a profile with others has the param `profile`.
_OF_FILE_SYSTEM = {"directory", "location", "num_files", "num_dirs", "min_filesize", "max_filesize"}
MIX_TESTS = (*READS, *WRITES, "mix")  # the other tests of a mix differ in no size and no param
_OF_GROUP = {"threads", "weights", "read_blocksize", "write_blocksize", "fsync_file"}


def only_kind(given: Mapping[str, object]) -> str | None:
    """The only kind of operation of a mix; None if there are several, or several thread groups."""
    profile = given.get("mix")
    groups = objects(profile.get("groups")) if isinstance(profile, dict) else []
    weights = _weights(groups[0]) if len(groups) == 1 else {}
    return next(iter(weights)) if len(weights) == 1 else None


def work_of_mix(test: str, given: Mapping[str, object]) -> Described:
    """The work of a kind of operation, or of all of them (`mix`)."""
    profile = given.get("mix")
    if not isinstance(profile, dict):
        return Described(params=bounds(given, 0))
    systems, groups = objects(profile.get("filesystems")), objects(profile.get("groups"))
    params = {**bounds(given, profile.get("time")), **_named(options(profile, directio=False, alignio=False))}
    if len(systems) != 1 or len(groups) != 1:
        return Described(params={**params, "profile": _digest(systems, groups)})
    [system], [group] = systems, groups
    weights = _weights(group)
    if len(weights) > 1:
        params.update({f"{kind}_weight": weight for kind, weight in weights.items()})
    params.update(_named(options(system, num_files=0, num_dirs=0)) | _named(options(group, fsync_file=False)))
    if not (system.keys() <= _OF_FILE_SYSTEM and group.keys() <= _OF_GROUP):
        params["profile"] = _digest(systems, groups)
    return _with_sizes(test, params, system, group, weights)


def bounds(given: Mapping[str, object], seconds: object) -> dict[str, Param]:
    """What ends the measurement. `seconds` is the time in the file, which counts unless an option replaces it."""
    ends = options(given, seconds=0, operations=0, max_bytes=0, steady_state=False)
    return ends if "seconds" in ends or "operations" in ends else {**options({"seconds": seconds}, seconds=0), **ends}


def _weights(group: Mapping[str, object]) -> dict[str, Param]:
    weights = group.get("weights")
    found = weights.items() if isinstance(weights, dict) else ()
    return {str(kind): weight for kind, weight in found if isinstance(weight, int)}


def _named(params: Mapping[str, Param]) -> dict[str, Param]:
    return {_NAMES.get(name, name): value for name, value in params.items()}


def _with_sizes(
    test: str,
    params: dict[str, Param],
    system: Mapping[str, object],
    group: Mapping[str, object],
    weights: Mapping[str, Param],
) -> Described:
    """The sizes of the test. Sizes that no single one expresses are params."""
    smallest, largest = size(system, "min_filesize"), size(system, "max_filesize")
    file_size = smallest if smallest == largest else None
    if file_size is None:
        params.update(options({"min_file_size": smallest, "max_file_size": largest}, min_file_size=0, max_file_size=0))
    blocks = {
        name: size(group, name)
        for name, kinds in (("read_blocksize", READS), ("write_blocksize", WRITES))
        if weights.keys() & set(kinds)
    }
    own = "read_blocksize" if test in READS else "write_blocksize"
    record_size = blocks.get(own) if test in (*READS, *WRITES) else None
    if test == "mix" and len(set(blocks.values())) == 1:
        [record_size] = set(blocks.values())
    params.update({name: block for name, block in blocks.items() if block and block != record_size})
    return Described(file_size, record_size, params)


def _digest(systems: list[Mapping[str, object]], groups: list[Mapping[str, object]]) -> str:
    """The whole profile without its place, which is reported only, and its time."""
    placeless = [{name: value for name, value in system.items() if name != "location"} for system in systems]
    return digest([placeless, groups])
