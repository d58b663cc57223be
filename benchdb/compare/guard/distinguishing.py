"""The dimensions that tell runs apart, in the order of likely interest: the rows of a table that pools nothing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import islice

from benchdb.compare.query.dimensions import dimension, is_dimension
from benchdb.compare.query.keyed import KEYED, settings_of
from benchdb.compare.query.parameters import MOST_DIMENSIONS
from benchdb.facts.dimension import DimensionValue
from benchdb.facts.guarding import matches
from benchdb.facts.options import key_of_option
from benchdb.facts.registry import DIMENSIONS
from benchdb.runs.models import Run

from .facts import columns

# Dimensions that plans vary on purpose. `KIND:` is each varying key of this kind.
SETTINGS = (
    *("raid_level", "raid_chunk", "raid_members", "layers", "aging", "mkfs_options", "mount_option:", "mount_options"),
    *("parameter:", "cache", "disk", "transport", "read_ahead", "scheduler", "fill"),
    *("tool_version", "kernel"),
)
# Dimensions of the place of a measurement: beside others, they separate rows and are not compared.
PLACE = frozenset(fact.name for fact in DIMENSIONS if fact.place)
OF_RESULTS = ("file_size", "record_size", "threads", "params")
# Facts of one measurement that are no setting of it. Parameters of the choice of tests leave each test the same.
MEASURED = (
    *("files", "extents", "free_fragments", "arrays", "disturbances", "load", "ended_by", "provenance"),
    *("parameter.tests", "parameter.no_latencies", "parameter.report_distributions"),
)
OF_WORK = ("parameter.*", "command")
MOST_KEYS = 30


def distinguishing(
    runs: Sequence[Run],
    known: Sequence[str] = (),
    most: int = MOST_DIMENSIONS,
    apart: Callable[[Run], Hashable] = lambda run: None,
) -> tuple[str, ...]:
    """The fewest dimensions, at most `most`, that separate all runs which differ in a guarded fact.

    `known` are dimensions that separate runs already. Runs with different values of `apart` may differ in their
    parameters. Runs that differ in a fact without a dimension, or in too many facts, are separated by `run`.
    """
    found: list[str] = []
    unlike = _unlike_groups(runs, known, apart)
    candidates = _candidates(runs) if unlike else iter(())
    for name in candidates:
        if name not in known and any(_separates(name, group, apart) for group in unlike):
            found.append(name)
            unlike = _unlike_groups(runs, (*known, *found), apart)
        if not unlike or len(found) > most:
            break
    if unlike or len(found) > most:
        return (*found[: most - 1], "run")
    return tuple(found)


def compared(names: Sequence[str]) -> tuple[str, ...]:
    """Those of these rows that are the factor: places and sizes separate rows unless there is nothing else."""
    settings = tuple(name for name in names if name not in OF_RESULTS)
    return tuple(name for name in settings if name not in PLACE) or settings or tuple(names)


def varying_keys(runs: Sequence[Run]) -> list[str]:
    """The labels, options and parameters in which the runs differ, as dimensions such as `label:patch`."""
    # One pass, because each run may have hundreds of names that no other has.
    texts: dict[str, set[str]] = {}
    having: Counter[str] = Counter()
    named: dict[str, None] = {}
    for run in runs:
        options = run.target.mount_options or ()
        own = {
            "label": run.runstate.labels,
            "mount_option": [key_of_option(option) for option in options],
            "parameter": run.parameters,
        }
        named.update((f"{kind}:{key}", None) for kind, keys in own.items() for key in keys)
        # `relatime` is named `atime`; if another run names `relatime`, this one has it too.
        own["mount_option"] = settings_of(tuple(options))
        for kind, keys in own.items():
            for key in keys:
                if (value := KEYED[kind].of(run, key)) is not None:
                    having[f"{kind}:{key}"] += 1
                    texts.setdefault(f"{kind}:{key}", set()).add(value)
    several = (name for name in named if len(texts.get(name, ())) + (having[name] < len(runs)) > 1)
    return list(islice(filter(is_dimension, several), MOST_KEYS))


def _candidates(runs: Sequence[Run]) -> Iterator[str]:
    """File system, the settings that vary on one machine, the machine, then all other dimensions.

    A setting varies on a machine if runs of one tool on one file system differ in it.
    """
    alike = _grouped(runs, lambda run: (run.machine_id, run.target.file_system, run.tool))
    keys = varying_keys(runs)
    settings = [name for pattern in SETTINGS for name in _expanded(pattern, keys)]
    varied = [name for name in settings if any(_splits(name, group) for group in alike)]
    rest = (fact.name for fact in DIMENSIONS if fact.name != "run")
    no_rows = ("campaign", "campaign_point", *(name.replace("parameter.", "parameter:") for name in MEASURED))
    labels = _expanded("label:", keys)  # last, because a label may be a remark
    ordered = ("file_system", *varied, "machine", *settings, *rest, *labels)
    return (name for name in dict.fromkeys(ordered) if name not in no_rows)


def _expanded(pattern: str, keys: Sequence[str]) -> list[str]:
    return [name for name in keys if name.startswith(pattern)] if pattern.endswith(":") else [pattern]


def value_of(name: str, run: Run) -> DimensionValue:
    """The value of a run in a dimension; None in a dimension of results."""
    of_run = dimension(name).of
    return None if of_run is None else of_run(run)


def _splits(name: str, runs: Sequence[Run]) -> bool:
    """Whether these runs have several values in a dimension."""
    return len({value_of(name, run) for run in runs}) > 1


def _separates(name: str, runs: Sequence[Run], apart: Callable[[Run], Hashable]) -> bool:
    """Whether a dimension has several values among these runs; a parameter, among those of them that are not apart."""
    parts = _grouped(runs, apart) if name.startswith("parameter:") else [runs]
    return any(_splits(name, part) for part in parts)


def _unlike_groups(runs: Sequence[Run], names: Sequence[str], apart: Callable[[Run], Hashable]) -> list[list[Run]]:
    """The groups of runs with equal values in these dimensions that differ in a guarded fact.

    Runs that are apart differ in the sizes of their results, so their parameters may differ too.
    """
    # A cell has one file size, record size and number of threads: a run with several of them is no other work.
    varied = frozenset((*names, "file_size", "record_size", "threads"))
    groups = _grouped(runs, lambda run: tuple(value_of(name, run) for name in names))
    return [group for group in groups if len(group) > 1 and _are_unlike(group, varied, apart)]


def _are_unlike(runs: Sequence[Run], varied: frozenset[str], apart: Callable[[Run], Hashable]) -> bool:
    differing = _differing(runs, varied)
    if any(not matches(name, OF_WORK) for name in differing):
        return True
    return bool(differing) and any(_differing(group, varied) for group in _grouped(runs, apart))


def _differing(runs: Sequence[Run], varied: frozenset[str]) -> list[str]:
    """The guarded settings in which runs differ."""
    all_columns = columns(runs, varied) if len(runs) > 1 else ()
    return [column.name for column in all_columns if column.differs and not matches(column.name, MEASURED)]


def _grouped(runs: Sequence[Run], key: Callable[[Run], Hashable]) -> list[list[Run]]:
    groups: dict[Hashable, list[Run]] = defaultdict(list)
    for run in runs:
        groups[key(run)].append(run)
    return list(groups.values())
