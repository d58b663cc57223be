"""The name of a run: what tells it apart from runs of the same tool, `ext4 · RAID 6, 64 KiB chunk · sync dsync`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from benchdb.wording.sizes import say_size
from benchdb.wording.words import params_in_words

from .run import Run

# Parameters that name a place, a number of rounds or a report, and no work.
DIGEST = "_sha256"  # after the names of parameters that name files
NO_WORK = frozenset({"directory", "repetitions", "seed", "no_latencies", "report_distributions", "auto", "tests"})


def parts_of_name(run: Run) -> tuple[str, ...]:
    """File system, RAID, mkfs options and the parameters of the workload, without the defaults."""
    target = run.target
    return (
        target.file_system or "unknown file system",
        *_raid(target.raid_level, target.raid_chunk),
        *([f"mkfs {target.mkfs_options}"] if target.mkfs_options else []),
        *parameters_in_words(run.parameters),
    )


def parameters_in_words(parameters: Mapping[str, object], first: Collection[str] = ()) -> list[str]:
    """The parameters of the work, those in `first` before the others."""
    of_work = {name: value for name, value in parameters.items() if name not in NO_WORK}
    ordered = sorted(of_work, key=lambda name: name not in first)
    return params_in_words({name: of_work[name] for name in ordered})


def differing_parameters(all_parameters: Sequence[Mapping[str, object]]) -> set[str]:
    """The names of the parameters in which these workloads differ."""
    names = {name for parameters in all_parameters for name in parameters}
    return {name for name in names if len({repr(parameters.get(name)) for parameters in all_parameters}) > 1}


def _raid(level: str | None, chunk: int | None) -> list[str]:
    if level is None:
        return []
    return [f"{level}, {say_size(chunk)} chunk" if chunk else level]
