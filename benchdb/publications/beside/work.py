"""The amount of work behind a time, and means over sizes: what an own figure needs to equal a published one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchagent.formats.vocabulary import IOZONE_TESTS
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured
from benchdb.stats import matrix, summarise
from benchdb.wording.sizes import say_size

TIMES = ("elapsed", "user_time", "system_time")
FILES, BYTES = "files", "B"
MOVES_NO_DATA = ("delete", "fsck_clean", "fsck_dirty", "fsck_forced")  # their work is a number of files


def work_of(test: str, params: dict[str, object], file_size: int | None, run: Run) -> dict[str, float]:
    """The amounts that a test worked on: `files`, bytes (`B`), both, or none if they are unknown."""
    if test == "mkfs":
        size = (run.target.facts.get("file_system") or {}).get("size")
        return {BYTES: size} if size else {}
    if test == "run":
        return _work_of_iozone(run.parameters)
    if test.startswith("fsck"):
        files, size = _filled(params, run.state_before)
    else:
        files = params.get("files")
        size = files * file_size if isinstance(files, int) and file_size else None
    return {unit: amount for unit, amount in ((FILES, files), (BYTES, size)) if isinstance(amount, int | float)}


def _filled(params: dict[str, object], state: dict[str, object]) -> tuple[object, object]:
    """The files and bytes on a file system: what the plan wrote for the test, else what was there before."""
    fill, each = params.get("fill"), params.get("fill_file_size")
    if isinstance(fill, int) and isinstance(each, int):
        return fill / each, fill
    return state.get("files"), state.get("used")


def _work_of_iozone(parameters: dict[str, object]) -> dict[str, float]:
    """Each test goes once through each file with each record."""
    sizes, records = parameters.get("file_sizes"), parameters.get("record_sizes")
    tests = parameters.get("tests") or IOZONE_TESTS
    if not (isinstance(sizes, list) and isinstance(records, list) and isinstance(tests, Sequence)):
        return {}
    return {BYTES: sum(sizes) * len(records) * len(tests)}


def common_unit(test: str, one: dict[str, float], other: dict[str, float]) -> str | None:
    """The unit in which the amounts of both sides are compared; None if there is none."""
    order = (FILES, BYTES) if test in MOVES_NO_DATA else (BYTES, FILES)
    return next((unit for unit in order if one.get(unit) and other.get(unit)), None)


def mean_over_sizes(results: Sequence[Measured]) -> Measured:
    """One result whose value in each round is the mean over all sizes; all results have a mean and a file size."""
    values = matrix([result.values or [result.mean] for result in results]).mean(axis=0)
    (row,) = summarise(values[np.newaxis]).rows()
    files = sorted(result.file_size or 0 for result in results)
    view = f"mean of {len(results)} sizes, files of {say_size(files[0])} to {say_size(files[-1])}"
    return results[0]._replace(
        values=values.tolist(),
        **{name: getattr(row, name) for name in ("n", "mean", "sd")},
        file_size=None,
        record_size=None,
        params={"view": view},
        evidence=None,
        sequential=None,
    )
