"""Files of an import that a tool wrote beside its output, such as fio's logs: the output or group each belongs to.

A file belongs to the only output in its folder that names it. Files without such an output make one run for each name
that they share.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from benchagent.formats import is_named
from benchagent.formats.companions import Companion, base_name, companion_named, placed, since_first
from benchagent.formats.over_time import OverTime, integers_of, joined
from benchagent.formats.packing.series import packed
from benchagent.formats.sampled import MOST_POINTS, SAMPLED
from benchdb.ingest.models import FileState, ImportFile

from .reading import ImportHead, over_time

_LONGEST_TEST = 64


@dataclass(frozen=True, slots=True)
class RunFiles:
    """The files of one run: the outputs with its rounds, or only files that are read by themselves, in one round.

    `beside` has files whose series belong to an output, each with the index of that output.
    """

    outputs: Sequence[ImportFile]
    beside: Sequence[tuple[ImportFile, int]] = ()

    @property
    def files(self) -> list[ImportFile]:
        return [*self.outputs, *(file for file, _ in self.beside)]

    @property
    def alone(self) -> bool:
        """Whether the run has only files without an output."""
        return is_beside(self.outputs[0])

    @property
    def rounds(self) -> int:
        return 1 if self.alone else sum(file.round_count for file in self.outputs)


def is_beside(file: ImportFile) -> bool:
    """Whether the file is one that tools write beside an output."""
    return bool(_head(file).get("beside") is not None)


def folder_of(file: ImportFile) -> str:
    return str(PurePosixPath(file.name.replace("\\", "/")).parent)


def owner_of(file: ImportFile, outputs: Iterable[ImportFile]) -> ImportFile | None:
    """The only output of one round, in the same folder, that names the file."""
    naming = [
        each
        for each in outputs
        if each.round_count == 1 and folder_of(each) == folder_of(file) and _companion(each, file.name) is not None
    ]
    return naming[0] if len(naming) == 1 else None


def version_beside(file: ImportFile) -> str | None:
    """The version of the tool by the outputs in the folder that name the file; None if they differ, or there is none.

    One query for files whose name has a meaning, none for others.
    """
    if not is_named(file.name):
        return None
    read = ImportFile.objects.filter(of=file.of_id, state=FileState.READ).light()
    naming = [each for each in read if folder_of(each) == folder_of(file) and _companion(each, file.name)]
    versions = {_head(each)["tool_version"] for each in naming}
    return versions.pop() if len(versions) == 1 else None


def groups_alone(files: Iterable[ImportFile]) -> list[list[ImportFile]]:
    """The files without an output, grouped by folder and common name; a repeated name begins another group."""
    groups: dict[tuple[str, str, int], list[ImportFile]] = {}
    seen: dict[tuple[str, str], int] = {}
    for file in files:
        name = (folder_of(file), base_name(file.name))
        seen[name] = seen.get(name, 0) + 1
        groups.setdefault((name[0], _head(file).get("beside") or "", seen[name]), []).append(file)
    return list(groups.values())


def series_of_run(run: RunFiles) -> list[dict[str, object]]:
    """The series of a run in its document. `run` has the readings of its files."""
    by_round: dict[int, list[OverTime]] = {}
    if run.alone:
        by_round[0] = [series for file in run.outputs for series in over_time(bytes(file.reading or b""))]
    for file, index in run.beside:
        companion = _companion(run.outputs[index], file.name) or Companion({})
        number = sum(each.round_count for each in run.outputs[:index])
        by_round.setdefault(number, []).extend(placed(over_time(bytes(file.reading or b"")), companion))
    tool = run.outputs[0].tool
    return [
        _as_json(number, tool, each)
        for number, series in sorted(by_round.items())
        for each in joined(since_first(series))
        if any(each.points)
    ]


def _as_json(number: int, tool: str, series: OverTime) -> dict[str, object]:
    scale, points = integers_of(series)
    return {
        "round": number,
        "name": series.name,
        "unit": SAMPLED[series.name].unit,
        "source": tool,
        "test": series.test[:_LONGEST_TEST],
        "start": round(max(series.start, 0.0), 6),
        "step": series.step,
        "scale": scale,
        "packed": packed(points[:MOST_POINTS]),
    }


def _companion(output: ImportFile, name: str) -> Companion | None:
    kept = companion_named(_head(output).get("companions") or {}, name)
    return Companion(kept[1], kept[0]) if kept else None


def _head(file: ImportFile) -> ImportHead:
    head: ImportHead = file.head
    return head
