"""The order of a trend's runs: by time, or by the version of the kernel."""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchdb.runs.models import Run

_NUMBER = re.compile(r"(\d+)")


def in_order(runs: Sequence[Run], by: str) -> list[Run]:
    """The runs by time, or by kernel and then by time."""
    if by == "kernel":
        return sorted(runs, key=lambda run: (kernel_order(run.environment.kernel_release), run.started_at, run.id))
    return sorted(runs, key=lambda run: (run.started_at, run.id))


def kernel_order(release: str | None) -> tuple[int | tuple[int, ...], ...]:
    """A sort key of releases by their numbers: 6.1.0-9 before 6.1.0-31 before 6.12.0; 6.1.0-rc1 before 6.1.0.

    An unknown release comes first.
    """
    if release is None:
        return ()
    parts = _NUMBER.split(release.replace("-rc", "~rc"))
    # The end of a release and a tilde come before other signs, as in Debian's versions.
    return tuple(int(part) if i % 2 else _signs(part) for i, part in enumerate(parts))


def _signs(text: str) -> tuple[int, ...]:
    return (*((-1 if sign == "~" else ord(sign)) for sign in text), 0)
