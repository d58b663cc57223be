"""File size ÷ memory as a dimension: what decides whether a cache or a disk was measured, on machines of any size.

Values are steps: 1, 1.25 and 1.5 times a power of two, or one divided by these. A file of 16 GiB is twice the memory on
a machine of 8 GiB, although the kernel keeps a part of it; such parts, up to a tenth, change no step.
"""

from __future__ import annotations

import math
import re

from .run import Run

NAME = "file_size_to_memory"
LARGEST = 2**20  # of a ratio in a query string
_RATIO = re.compile(r"([0-9]{1,7}(?:\.[0-9]{1,4})?)(?:/([0-9]{1,7}(?:\.[0-9]{1,4})?))?")
_IN_AN_OCTAVE = (1.0, 1.25, 1.5)


def usable_memory(run: Run) -> int | None:
    """Bytes of memory that the run could use: the limit of its control group, else all; None if unknown."""
    memory = run.environment.facts["memory"]
    usable: int | None = memory.get("usable") or memory["total"]
    return usable


def step_of(file_size: int | None, memory: int | None) -> int | None:
    """The step of a file of this size; None if the file size or the memory is unknown. Steps are in order."""
    return _nearest(file_size / memory) if file_size and memory else None


def read_step(text: str) -> int:
    """The step of a text such as `2`, `1.25` or `1/4`. Raises ValueError for any other text."""
    match = _RATIO.fullmatch(text)
    over = float(match[2] or 1) if match else 0.0
    ratio = float(match[1]) / over if match and over else 0.0
    if not 1 / LARGEST <= ratio <= LARGEST:
        raise ValueError(f"{text!r} cannot be; it is a ratio such as 2 or 1/4, or unknown")
    return _nearest(ratio)


def ratio_of(step: int) -> float:
    """The ratio of a step: 2.0, 0.25."""
    size = _IN_AN_OCTAVE[abs(step) % 3] * 2.0 ** (abs(step) // 3)
    return size if step >= 0 else 1 / size


def print_step(step: int) -> str:
    """The step as the query string has it: `2`, `1/4`."""
    size = f"{ratio_of(abs(step)):.10g}"
    return size if step >= 0 else f"1/{size}"


def say_step(step: int) -> str:
    """The step as people read it: `2 ×`, `1/4 ×`."""
    return f"{print_step(step)} ×"


def _nearest(ratio: float) -> int:
    if ratio < 1:
        return -_nearest(1 / ratio)
    octave = math.floor(math.log2(ratio))
    steps = [(3 * octave + i, factor * 2**octave) for i, factor in enumerate((*_IN_AN_OCTAVE, 2.0))]
    return min(steps, key=lambda step: abs(math.log(ratio / step[1])))[0]
