"""How the guard compares a fact: as one value a run, a set of options, or a family of settings with free names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum, auto
from fnmatch import translate
from functools import cached_property, lru_cache, partial
from hashlib import sha256
from typing import Any, Final, Generic, TypeVar

from .dimension import Dimension
from .options import is_of
from .run import Run
from .words import say_setting


class Skip(Enum):
    """The value of a run that a column does not apply to: the run has no such layer, or is of another kind."""

    SKIP = "skip"


SKIP: Final = Skip.SKIP
MOST_SETTINGS = 128  # of a family, that have a column each: runs may have thousands that no other run has
OTHERS, MOST_LETTERS = "others", 200
EVERYTHING = "everything"  # the kind of words with the same meaning for all runs
T = TypeVar("T")
OfValues = Callable[[Sequence[T]], bool]
Severity = bool | OfValues[T]
OfKind = Callable[[Run], Hashable]


def equal(values: Sequence[object]) -> bool:
    """Whether all known values are the same."""
    return all(value == values[0] for value in values)


def within(share: float) -> OfValues[float]:
    """Whether known numbers differ by less than this share of the greatest."""
    return lambda values: max(values) - min(values) <= share * max(map(abs, values))


def apart(share: float) -> OfValues[float]:
    """Severe if known numbers differ by more than this share of the greatest."""
    return lambda values: max(values) - min(values) > share * max(map(abs, values))


@dataclass(frozen=True)
class GuardedColumn(Generic[T]):
    """One fact of all runs: a value a run, None if unknown, SKIP if the fact does not apply to the run."""

    name: str
    label: str
    values: Sequence[T | Skip | None]
    say: Callable[[T], str] = str
    severe: Severity[T] = False
    same: OfValues[T] = equal
    hardware: bool = False

    @cached_property
    def known(self) -> list[T]:
        """The values that can be compared."""
        return [value for value in self.values if value is not None and value is not SKIP]

    @property
    def differs(self) -> bool:
        """Whether two known values are not the same."""
        return len(self.known) > 1 and not self.same(self.known)

    @property
    def is_severe(self) -> bool:
        """Whether the difference can explain the results of the table."""
        return self.severe if isinstance(self.severe, bool) else self.severe(self.known)


Column = GuardedColumn[Any]  # each column has its own type of values


class Weight(IntEnum):
    """The place of a fact among the differences of a table: by likely effect, the strongest first."""

    TOOL = auto()
    SYSTEM = auto()
    CACHE = auto()
    FILE_SYSTEM = auto()
    MACHINE = auto()
    DISK = auto()
    LAYERS = auto()
    RAID = auto()
    MEASURING = auto()
    STATE = auto()
    KERNEL = auto()
    TUNING = auto()
    MOUNT = auto()
    MKFS = auto()
    FORMAT = auto()
    DETAIL = auto()
    LAST = auto()
    ORIGIN = auto()


@dataclass(frozen=True, kw_only=True)
class Guarding:
    """How a fact is compared. Runs with equal fingerprints of `component` have equal values.

    With `of_kind`, only runs of one kind (a file system, a tool) are compared with each other. `hardware` is what a
    comparison of machines is about, and then not severe.
    """

    weight: Weight
    component: str = "run"
    of_kind: OfKind | None = None
    hardware: bool = False

    def columns(self, fact: Dimension, runs: Sequence[Run], varied: frozenset[str]) -> Iterator[Column]:
        """Columns with a value for each run, without the dimensions that are varied on purpose."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Guard(Guarding, Generic[T]):
    """One value a run, None if it is unknown: that of the fact, unless `of` reads a more exact one, for `say`."""

    of: Callable[[Run], T | Skip | None] | None = None
    say: Callable[[T], str] | None = None
    severe: Severity[T] = False
    same: OfValues[T] = equal

    def columns(self, fact: Dimension, runs: Sequence[Run], varied: frozenset[str]) -> Iterator[GuardedColumn[T]]:
        """The one column of the fact."""
        of = self.of or fact.of
        assert of is not None, fact.name
        values = _of_one_kind([_once(fact, of, run) for run in runs], runs, self.of_kind, self.same)
        say: Callable[[Any], str] = self.say or fact.print
        yield GuardedColumn(fact.name, fact.label, values, say, self.severe, self.same, self.hardware)


@dataclass(frozen=True, kw_only=True)
class GuardFamily(Guarding):
    """Settings with free names, a column each: `NAME.KEY` of a fact `NAME.*`. A run without a setting has `absent`.

    Without `absent`, such runs are skipped. The dimension `NAME:KEY` varies one of them on purpose. `mild` are the keys
    that are not severe in a severe family.
    """

    of: Callable[[Run], Mapping[str, object]]
    absent: str | None = None
    severe: bool = False
    mild: frozenset[str] = frozenset()

    def columns(self, fact: Dimension, runs: Sequence[Run], varied: frozenset[str]) -> Iterator[GuardedColumn[object]]:
        """A column for each setting of any run, in the order of the runs."""
        settings_of_runs: Sequence[Mapping[str, object]] = [_once(fact, self.of, run) for run in runs]
        absent, name = SKIP if self.absent is None else self.absent, fact.name.removesuffix(".*")
        all_keys = dict.fromkeys(key for settings in settings_of_runs for key in settings)
        keys = [key for key in all_keys if f"{name}:{key}" not in varied]
        if len(keys) > MOST_SETTINGS:
            keys, settings_of_runs = _bounded(settings_of_runs, frozenset(keys), absent)
        for key in keys:
            plain_values = [_plain(settings.get(key, absent)) for settings in settings_of_runs]
            values = _of_one_kind(plain_values, runs, self.of_kind, equal)
            label = f"{fact.label} {key.replace('_', ' ')}".strip()
            severe = self.severe and key not in self.mild
            say = partial(say_setting, key)
            yield GuardedColumn(f"{name}.{key}", label, values, say, severe, hardware=self.hardware)


@dataclass(frozen=True, kw_only=True)
class GuardOptions(Guarding):
    """A set of words a run; the column names only those that not all runs have.

    With `of_kind`, only the words that are `across` have a meaning for all kinds; the others are compared within one
    kind. The dimension `DIMENSION:KEY` varies one of them on purpose.
    """

    of: Callable[[Run], Sequence[str] | None]
    severe: bool = False
    across: Callable[[str], bool] = lambda word: False
    dimension: str = ""

    def columns(self, fact: Dimension, runs: Sequence[Run], varied: frozenset[str]) -> Iterator[GuardedColumn[str]]:
        """The one column of the set, with texts."""
        words_of_runs = [self._words(_once(fact, self.of, run), varied) for run in runs]
        kinds = [self._kinds_of(run, words) for run, words in zip(runs, words_of_runs, strict=True)]
        common: dict[Hashable, set[str]] = {}
        for by_kind in kinds:
            for kind, words in by_kind.items():
                common[kind] = common.get(kind, set(words)) & set(words)
        uncommon = [
            {kind: [word for word in words if word not in common[kind]] for kind, words in by_kind.items()}
            for by_kind in kinds
        ]
        differing = {kind for by_kind in uncommon for kind, words in by_kind.items() if words}
        yield GuardedColumn(
            fact.name,
            fact.label,
            [self._text(words, by_kind, differing) for words, by_kind in zip(words_of_runs, uncommon, strict=True)],
            severe=self.severe,
        )

    def _words(self, words: Sequence[str] | None, varied: frozenset[str]) -> list[str] | None:
        keys = [name.partition(":")[2] for name in varied if name.startswith(f"{self.dimension}:")]
        return None if words is None else [word for word in words if not any(is_of(word, key) for key in keys)]

    def _kinds_of(self, run: Run, words: Sequence[str] | None) -> dict[Hashable, list[str]]:
        """The words by the group of runs within which they are compared: EVERYTHING, or the runs of one kind."""
        if words is None:
            return {}
        if self.of_kind is None:
            return {EVERYTHING: list(words)}
        by_kind: dict[Hashable, list[str]] = {EVERYTHING: [], self.of_kind(run): []}
        for word in words:
            by_kind[EVERYTHING if self.across(word) else self.of_kind(run)].append(word)
        return by_kind

    @staticmethod
    def _text(
        words: Sequence[str] | None, by_kind: Mapping[Hashable, list[str]], differing: set[Hashable]
    ) -> str | Skip | None:
        if words is None:
            return None
        all_words = [word for of_kind in by_kind.values() for word in of_kind]
        return ", ".join(all_words) or ("none of these" if differing & by_kind.keys() else SKIP)


def matches(name: str, patterns: Sequence[str]) -> bool:
    """Whether a column's name matches one of these patterns; `*` matches anything."""
    return _pattern(tuple(patterns)).match(name) is not None


@lru_cache(maxsize=1000)
def _pattern(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """All patterns as one, which matches whole names because of `translate`. Without patterns, it matches nothing."""
    return re.compile("|".join(map(translate, patterns)) or r"(?!)")


def _once(fact: Dimension, of: Callable[[Run], T], run: Run) -> T:
    """The value of a run, read once: a table compares the runs of each cell, and a run may have a thousand disks."""
    known: dict[str, T] = vars(run).setdefault("guarded", {})
    if fact.name not in known:
        known[fact.name] = of(run)
    return known[fact.name]


def _of_one_kind(
    values: Sequence[T | Skip | None], runs: Sequence[Run], of_kind: OfKind | None, same: OfValues[T]
) -> Sequence[T | Skip | None]:
    """The values, with SKIP for the runs of a kind without a difference; kinds are not compared with each other."""
    if of_kind is None:
        return values
    kinds = [of_kind(run) for run in runs]
    differing = {kind for kind in set(kinds) if GuardedColumn("", "", _only(values, kinds, kind), same=same).differs}
    return [value if kind in differing else SKIP for value, kind in zip(values, kinds, strict=True)]


def _only(values: Sequence[T], kinds: Sequence[Hashable], kind: Hashable) -> list[T]:
    return [value for value, other in zip(values, kinds, strict=True) if other == kind]


def _bounded(
    settings_of_runs: Sequence[Mapping[str, object]], keys: frozenset[str], absent: object
) -> tuple[list[str], Sequence[Mapping[str, object]]]:
    """The settings that most runs have, and OTHERS: those of the others in which runs differ, as one text."""
    having = Counter(key for settings in settings_of_runs for key in settings if key in keys)
    kept = [key for key, _ in having.most_common(MOST_SETTINGS)]
    rare = having.keys() - kept
    values: dict[str, set[object]] = {key: set() for key in rare}
    for settings in settings_of_runs:
        for key in settings.keys() & rare:
            values[key].add(_plain(settings[key]))
    differing = {
        key for key in rare if len(values[key]) + (absent is not SKIP and having[key] < len(settings_of_runs)) > 1
    }
    bounded = []
    for settings in settings_of_runs:
        text = ", ".join(f"{key} {settings[key]}" for key in sorted(settings.keys() & differing))
        if len(text) > MOST_LETTERS:
            text = f"{text[:MOST_LETTERS]}… ({sha256(text.encode()).hexdigest()[:8]})"
        bounded.append({**settings, OTHERS: text} if text else settings)
    return [*kept, OTHERS], bounded


def _plain(value: object) -> object:
    """The value in a hashable form."""
    if not isinstance(value, list):
        return value
    return tuple(item if isinstance(item, str | int | float) else str(item) for item in value)
