"""The results of a run as columns, checked: the form between the document and the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchagent.formats.model import Param
from benchagent.formats.rounds import Evidence

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
PackedHistograms = Sequence[bytes | None] | None
Given = Mapping[str, float | None]  # n, mean, sd and the step of a publication


@dataclass(frozen=True, slots=True)
class ResultArrays:
    """R results and their V values.

    Texts and objects are lists of R entries; `params` has {} and the other objects None if there is nothing.
    `file_size` and `record_size` (R,) are bytes, `threads` (R,) is a count; 0 means that the result has none.
    `values` (V,) are in `unit`, NaN if a round has no value. Those of result i are `values[offsets[i]:offsets[i + 1]]`:
    one for each round, or none if the result was published with `given` n, mean and sd; `offsets` is (R + 1,).
    `lines` (V,) are line numbers counted from 1, 0 for none. `source` (R,) is the index in `artifacts` of the list that
    names the artifact of each round, -1 without raw output. `histograms` has the distribution of each round in
    HdrHistogram's encoding, None if there is none.
    """

    test: Sequence[str]
    metric: Sequence[str]
    unit: Sequence[str]
    file_size: IntArray
    record_size: IntArray
    threads: IntArray
    params: Sequence[Mapping[str, Param]]
    status: Sequence[str]
    error: Sequence[str | None]
    evidence: Sequence[Evidence | None]
    given: Sequence[Given | None]
    source: IntArray
    offsets: IntArray
    values: FloatArray
    lines: IntArray
    artifacts: Sequence[Sequence[str | None]]
    histograms: Sequence[PackedHistograms]

    def __len__(self) -> int:
        return len(self.test)
