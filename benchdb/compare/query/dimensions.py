"""The dimensions that pivot and filter a comparison: of results, which differ inside a run, and of runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from operator import attrgetter

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb.facts.dimension import Dimension, DimensionValue
from benchdb.facts.file_to_memory import NAME as FILE_TO_MEMORY
from benchdb.facts.file_to_memory import ratio_of, say_step, step_of, usable_memory
from benchdb.facts.named import Named, without_common_parts
from benchdb.facts.options import scalar, settings_value
from benchdb.facts.registry import DIMENSIONS as OF_RUNS
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured
from benchdb.wording.names import told_apart
from benchdb.wording.words import metric_label, settings_in_words

from .keyed import KEYED, level_of, say_parameter

PARAM = "param"  # `param:rate`: a dimension of results; `parameter:rate` is one of runs
OF_RESULTS = (
    Dimension("test", "test", say=test_label),
    Dimension("metric", "metric", say=metric_label),
    Dimension("record_size", "record size", kind="size", absent="no record size", noun="{} records"),
    Dimension("file_size", "file size", kind="size", absent="no file size", noun="{} file"),
    Dimension(FILE_TO_MEMORY, "file size ÷ memory", kind="ratio", say=say_step, noun="file {} memory"),
    Dimension("threads", "threads", kind="number", absent="no number of threads", noun="{} threads"),
    Dimension("params", "test parameters", say=settings_in_words, absent="no parameters"),
)
DIMENSIONS: dict[str, Dimension] = {dimension.name: dimension for dimension in (*OF_RESULTS, *OF_RUNS)}
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
        return Dimension(name, f"test parameter {words}", say=partial(_say_param, key), absent=f"no {words}")
    keyed = KEYED[kind]
    absent = keyed.absent.format(key.replace("_", " "))
    say = partial(keyed.say, key)
    return Dimension(name, f"{keyed.label} {key}", lambda run: keyed.of(run, key), say=say, absent=absent)


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
    if of.of is not None:
        value = of.of(run)
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


def as_data(name: str, value: DimensionValue) -> str | int | float | None:
    """A value for programs: a number in base units, or the text of the query string; None for an id or no value."""
    if value is None or isinstance(value, Named):
        return None
    of = dimension(name)
    if of.kind == "ratio" and isinstance(value, int):
        return ratio_of(value)
    level = level_of(value) if ":" in name else None
    return value if level is None else level


def with_noun(name: str, label: str) -> str:
    """A label with its noun, clear without the head of a column: `4 threads`, `1 MiB records`, `memory unknown`."""
    if name == "threads" and label == "1":
        return "1 thread"
    of = dimension(name)
    if label == of.absent:
        return f"{of.label} unknown" if label == "unknown" else label
    return of.noun.format(label)


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
    texts = told_apart(texts) if name == "machine" else texts
    counts = Counter(texts.values())
    return {value: f"{text} ({_exact(value)})" if counts[text] > 1 else text for value, text in texts.items()}


def _exact(value: DimensionValue) -> DimensionValue:
    return value.exact if isinstance(value, Named) else value


def label_of(names: Sequence[str]) -> str:
    """`file system · mount options`."""
    return " · ".join(dimension(name).label for name in names)


def labels_of_runs(names: Sequence[str], runs: Sequence[Run]) -> list[str]:
    """The label of each run in these dimensions; its machine if none of them is a dimension of runs."""
    of_runs = [name for name in names if dimension(name).of is not None] or ["machine"]
    columns = [_values(name, runs) for name in of_runs]
    labels = [label_values(name, values) for name, values in zip(of_runs, columns, strict=True)]
    return [joined({name: labels[i][columns[i][r]] for i, name in enumerate(of_runs)}) for r in range(len(runs))]


def _values(name: str, runs: Sequence[Run]) -> list[DimensionValue]:
    of_run = dimension(name).of
    assert of_run is not None
    return [of_run(run) for run in runs]
