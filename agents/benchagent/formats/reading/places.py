"""Tells the runs of one text apart by where they ran: `/mnt/ext4/f` and `/mnt/xfs/f` are no repetitions.

The fact ``place`` is the shortest part in which the paths of a text differ. Runs in different directories or on
different devices always get it. Files of one directory are a place only if nothing else tells their runs apart, unless
they are counted: `f1`, `f2`, `f3`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Sequence

from .collector import params_key
from .runs import ToolRun, shortened
from .sections import counts_repetitions

_DEVICE = re.compile(r"/dev/(?!shm/)")
_LAST_NUMBER = re.compile(r"([0-9]{1,9})([^0-9]*)$")
_PATHS = ("directory", "location")  # facts


def directory(path: str) -> str:
    """A path as that of a directory, as `ToolRun.place` has it; empty for an empty path."""
    return path.rstrip("/") + "/" if path else ""


def joined(paths: Iterable[str]) -> str:
    """Several paths as one place."""
    return ":".join(dict.fromkeys(filter(None, paths)))


def name_places(runs: Sequence[ToolRun]) -> None:
    """Add the fact ``place`` to the runs of a text that ran in different places, instead of their whole paths."""
    for run in runs:
        run.place = run.place or next((directory(str(run.facts[name])) for name in _PATHS if name in run.facts), "")
    folders = {run.place: joined(map(_folder, run.place.split(":"))) for run in runs if run.place}
    names = shortest(set(folders.values()))
    if len(names) > 1:
        names = {place: names[folder] for place, folder in folders.items()}
    elif _are_needed(runs):
        names = shortest(folders)
    else:
        return
    for run in runs:
        if run.place:
            run.facts = {name: value for name, value in run.facts.items() if name not in _PATHS}
            run.facts["place"] = names[run.place]


def shortest(paths: Collection[str]) -> dict[str, str]:
    """Each of several paths without the directories that all of them begin and end with."""
    parts = {path: (path.rstrip("/") or path).split("/") for path in paths}
    fewest = min(map(len, parts.values()), default=0)
    begin = end = 0
    while begin < fewest - 1 and len({words[begin] for words in parts.values()}) == 1:
        begin += 1
    while begin + end < fewest - 1 and len({words[-1 - end] for words in parts.values()}) == 1:
        end += 1
    return {path: shortened("/".join(words[begin : len(words) - end]) or "/") for path, words in parts.items()}


def _folder(path: str) -> str:
    """The directory of a file; a directory or a device itself."""
    if path.endswith("/") or _DEVICE.match(path):
        return path
    return directory(path.rpartition("/")[0]) if "/" in path else "./"


def _are_needed(runs: Sequence[ToolRun]) -> bool:
    """Whether runs would be repetitions of each other although their files differ."""
    alike: dict[Hashable, dict[str, None]] = {}
    for run in runs:
        if run.place and run.cells:
            cell = run.cells[0]
            work = params_key(run.facts), cell.test, cell.file_size, cell.record_size, cell.threads
            alike.setdefault(work, {})[run.place] = None
    return any(len(files) > 1 and not _are_counted(files) for files in alike.values())


def _are_counted(files: Collection[str]) -> bool:
    """Whether the names of files count repetitions: `f1`, `f2`, `f3`."""
    matches = [_LAST_NUMBER.search(file) for file in files]
    stems = {(file[: match.start()], match[2]) if match else (file,) for file, match in zip(files, matches)}
    return len(stems) == 1 and counts_repetitions([int(match[1]) for match in matches if match])
