"""The dimensions that pivot and filter a comparison: of results, which differ inside a run, and of runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from operator import attrgetter
from typing import Any

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb.runs.facts.storage_stack import say_layers
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured
from benchdb.wording.sizes import parse_size, print_size, say_size
from benchdb.wording.words import metric_label, settings_in_words

from .file_to_memory import NAME as FILE_TO_MEMORY
from .file_to_memory import print_step, read_step, say_step, step_of, usable_memory
from .keyed import KEYED, say_parameter, scalar
from .named import Named, machine_of, publication_of, run_itself, without_common_parts

DimensionValue = str | int | None
OfRun = Callable[[Run], DimensionValue]


PARAM = "param"  # `param:rate`: a dimension of results; `parameter:rate` is one of runs
AGED = "aged"
ASKED_OF_AGING = ("profile", "fullness_asked", "overwrites_asked")


@dataclass(frozen=True)
class Dimension:
    """A dimension of runs if it has `of_run`, which returns the value of a run; else an attribute of results.

    `say` prints a value for people, `absent` is the text for None. `kind` is the form of values in the query string:
    text, number (4), size (64K) or ratio (1/4).
    """

    name: str
    label: str
    of_run: OfRun | None = None
    say: Callable[[Any], str] = str
    absent: str = "unknown"
    kind: str = "text"

    def print(self, value: DimensionValue) -> str:
        """The value for people."""
        if value is None:
            return self.absent
        return value.name if isinstance(value, Named) else self.say(value)

    @property
    def word(self) -> str:
        """None in the query string: `unknown`, or `none` if a run can be without a value."""
        return "unknown" if self.absent == "unknown" else "none"

    def parameter(self, value: DimensionValue) -> str:
        """The value as the query string has it."""
        if value is None:
            return self.word
        if self.kind == "ratio" and isinstance(value, int):
            return print_step(value)
        return print_size(value) if self.kind == "size" and isinstance(value, int) else str(value)

    def read(self, text: str) -> str:
        """A value of a query string in its one spelling (1024K is 1M). Raises ValueError if the text is not a value."""
        if text == self.word or self.kind == "text":
            return text
        if self.kind == "size":
            return print_size(parse_size(text))
        if self.kind == "ratio":
            return print_step(read_step(text))
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise ValueError(f"{text!r} cannot be; it is a whole number or {self.word}")
        return str(int(text))


def settings_value(settings: Mapping[str, object]) -> str | None:
    """`files=4096,view=min`: a text that identifies a set of parameters; None if the set is empty."""
    return ",".join(f"{name}={scalar(settings[name])}" for name in sorted(settings)) or None


def _fill(run: Run) -> int | None:
    """The fill level, rounded to 5 %, because two file systems are never filled equally to the last block."""
    fill = run.state_before.get("fill")
    return None if fill is None else 5 * round(20 * fill)


def _aging(run: Run) -> str | None:
    """The settings of the aging; its other keys are results, which depend on the file system."""
    aging = run.state_before.get("aging") or {}
    asked = {key.removesuffix("_asked"): aging[key] for key in ASKED_OF_AGING if key in aging}
    return settings_value(asked) or (AGED if aging else None)


def _say_aging(value: str) -> str:
    return value if value == AGED else f"{AGED}, {settings_in_words(value)}"


def _mount_options(run: Run) -> str | None:
    options = run.target.mount_options
    return None if options is None else ",".join(options) or "defaults"


def _campaign(run: Run) -> str | None:
    return None if run.campaign_id is None else str(run.campaign_id)


def _size(name: str, label: str, of_run: OfRun | None = None, absent: str = "unknown") -> Dimension:
    return Dimension(name, label, of_run, say_size, absent, "size")


DIMENSIONS = {
    dimension.name: dimension
    for dimension in (
        Dimension("test", "test", say=test_label),
        Dimension("metric", "metric", say=metric_label),
        _size("record_size", "record size", absent="no record size"),
        _size("file_size", "file size", absent="no file size"),
        Dimension(FILE_TO_MEMORY, "file size ÷ memory", say=say_step, kind="ratio"),
        Dimension("threads", "threads", absent="no number of threads", kind="number"),
        Dimension("params", "test parameters", say=settings_in_words, absent="no parameters"),
        Dimension("file_system", "file system", lambda run: run.target.file_system),
        Dimension("mkfs_options", "mkfs options", lambda run: run.target.mkfs_options or "defaults"),
        Dimension("mount_options", "mount options", _mount_options),
        Dimension("raid_level", "RAID level", lambda run: run.target.raid_level, absent="no RAID"),
        _size("raid_chunk", "RAID chunk", lambda run: run.target.raid_chunk, absent="no RAID"),
        Dimension("raid_members", "RAID members", lambda run: run.target.raid_members, absent="no RAID", kind="number"),
        _size("read_ahead", "read-ahead", lambda run: run.target.read_ahead),
        Dimension("scheduler", "scheduler", lambda run: run.target.scheduler),
        Dimension("disk", "disk", lambda run: run.target.disk_model),
        Dimension("transport", "disk transport", lambda run: run.target.transport),
        Dimension("layers", "layers", lambda run: run.target.layers, say_layers),
        Dimension("kernel", "kernel", lambda run: run.environment.kernel_release),
        Dimension("os", "distribution", lambda run: run.environment.os_name),
        Dimension("virtualization", "virtualization", lambda run: run.environment.virtualization),
        _size("memory", "memory", lambda run: run.environment.memory),
        Dimension("cpu", "CPU", lambda run: run.environment.cpu_model),
        Dimension("governor", "frequency governor", lambda run: run.environment.governor),
        Dimension("machine", "machine", machine_of),
        Dimension("publication", "article", publication_of, absent="measured"),
        Dimension("tool", "tool", lambda run: run.tool),
        Dimension("tool_version", "tool version", lambda run: run.tool_version),
        Dimension("cache", "cache regime", lambda run: run.cache_regime),
        Dimension("fill", "fill level", _fill, lambda percent: f"about {percent} %", kind="number"),
        Dimension("aging", "aging", _aging, say=_say_aging, absent="not aged"),
        Dimension("campaign", "campaign", _campaign, absent="no campaign"),
        Dimension("campaign_point", "campaign point", lambda run: run.campaign_point, absent="no campaign"),
        Dimension("run", "run", run_itself),
    )
}


NOUNS = {
    "record_size": "{} records",
    "file_size": "{} file",
    "threads": "{} threads",
    FILE_TO_MEMORY: "file {} memory",
    "raid_chunk": "{} chunk",
    "read_ahead": "{} read-ahead",
    "scheduler": "scheduler {}",
    "mkfs_options": "mkfs {}",
    "fill": "{} full",
}
SIZES = ("record_size", "file_size", "threads", "params")
ALWAYS = ("publication", "file_system", "file_size", "record_size")  # in the label of a row beside those of an article
METRIC_NAMES = tuple(METRICS)
NAMES = (*DIMENSIONS, *(f"{kind}:KEY" for kind in (*KEYED, PARAM)))


@lru_cache(maxsize=1000)
def dimension(name: str) -> Dimension:
    """The dimension of this name. Raises KeyError if there is none."""
    kind, colon, key = name.partition(":")
    if not colon:
        return DIMENSIONS[name]
    if not key:
        raise KeyError(name)
    if kind == PARAM:
        words = key.replace("_", " ")
        say_value = partial(_say_param, key)
        return Dimension(name, f"test parameter {words}", say=say_value, absent=f"no {words}")
    keyed = KEYED[kind]
    absent = keyed.absent.format(key.replace("_", " "))
    return Dimension(
        name, f"{keyed.label} {key}", lambda run: keyed.of(run, key), lambda value: keyed.say(key, value), absent
    )


def is_dimension(name: str) -> bool:
    """Whether there is a dimension of this name."""
    kind, colon, key = name.partition(":")
    return bool(key) and kind in (*KEYED, PARAM) if colon else name in DIMENSIONS


def key_of_param(name: str) -> str:
    """`rate` of `param:rate`; "" of any other dimension."""
    kind, _, key = name.partition(":")
    return key if kind == PARAM else ""


def _say_param(key: str, value: DimensionValue) -> str:
    return say_parameter(key, str(value))


def reader_of(names: Sequence[str], run: Run) -> Callable[[Measured], tuple[DimensionValue, ...]]:
    """A function that returns a result's values in these dimensions; values of the run are determined once."""
    readers = [_reader(dimension(name), run) for name in names]
    return lambda measured: tuple([read(measured) for read in readers])


def _reader(of: Dimension, run: Run) -> Callable[[Measured], DimensionValue]:
    if of.of_run is not None:
        value = of.of_run(run)
        return lambda measured: value
    if of.name == FILE_TO_MEMORY:
        memory = usable_memory(run)
        return lambda measured: step_of(measured.file_size, memory)
    if key := key_of_param(of.name):
        of_workload = run.parameters.get(key)
        return lambda measured: _value_of_param(measured.params.get(key, of_workload))
    return (lambda measured: settings_value(measured.params)) if of.name == "params" else attrgetter(of.name)


def _value_of_param(value: object) -> DimensionValue:
    return value if value is None or (isinstance(value, int) and not isinstance(value, bool)) else scalar(value)


def with_noun(name: str, label: str) -> str:
    """A label with its noun, clear without the head of a column: `4 threads`, `1 MiB records`, `memory unknown`."""
    if name == "threads" and label == "1":
        return "1 thread"
    if label == "unknown":
        return f"{dimension(name).label} unknown"
    if name in (*SIZES, "raid_chunk", "read_ahead") and not label[:1].isdigit():  # no record size
        return label
    return NOUNS.get(name, "{}").format(label)


def joined(parts: Mapping[str, str]) -> str:
    """The labels of several dimensions as one: `ext4 · 4 threads`; sizes and options that are absent are left out."""
    if len(parts) == 1:
        return next(iter(parts.values()))
    present = {name: label for name, label in parts.items() if not is_absent(name, label)}
    return " · ".join(with_noun(name, label) for name, label in (present or parts).items())


def is_absent(name: str, label: str) -> bool:
    """Whether this is the label of a size or an option that does not exist."""
    return (name in SIZES or ":" in name) and label == dimension(name).absent


def without_common(parts: Mapping[str, str], all_parts: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """The parts without those that are the same in all, except in ALWAYS."""
    return {
        name: label for name, label in parts.items() if name in ALWAYS or any(part[name] != label for part in all_parts)
    }


def label_values(name: str, values: Iterable[DimensionValue]) -> dict[DimensionValue, str]:
    """The label of each value. Equal labels (of memory that differs by a few KiB) also have the exact value."""
    distinct = list(dict.fromkeys(values))
    named = without_common_parts([value for value in distinct if isinstance(value, Named)])
    of = dimension(name)
    texts = {value: named[value] if isinstance(value, Named) else of.print(value) for value in distinct}
    counts = Counter(texts.values())
    return {value: f"{text} ({_exact(value)})" if counts[text] > 1 else text for value, text in texts.items()}


def _exact(value: DimensionValue) -> DimensionValue:
    return value.exact if isinstance(value, Named) else value


def label_of(names: Sequence[str]) -> str:
    """`file system · mount options`."""
    return " · ".join(dimension(name).label for name in names)


def labels_of_runs(names: Sequence[str], runs: Sequence[Run]) -> list[str]:
    """The label of each run in these dimensions; its machine if none of them is a dimension of runs."""
    of_runs = [name for name in names if dimension(name).of_run is not None] or ["machine"]
    columns = [_values(name, runs) for name in of_runs]
    labels = [label_values(name, values) for name, values in zip(of_runs, columns, strict=True)]
    return [joined({name: labels[i][columns[i][r]] for i, name in enumerate(of_runs)}) for r in range(len(runs))]


def _values(name: str, runs: Sequence[Run]) -> list[DimensionValue]:
    of_run = dimension(name).of_run
    assert of_run is not None
    return [of_run(run) for run in runs]
