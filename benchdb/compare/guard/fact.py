"""What the guard compares: a fact of a run, a family of settings, a set of options. Each gives columns of values."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fnmatch import translate
from functools import cached_property, lru_cache, partial
from typing import Any

from benchdb.runs.models import Run

from .wording import say_setting


class Skip(Enum):
    """The value of a run that a column does not speak of: it has no such layer, or is of another kind."""

    SKIP = "skip"


SKIP = Skip.SKIP
EVERYTHING = "everything"  # the kind of words that mean the same for all runs
Severity = bool | Callable[[Sequence[Any]], bool]
Same = Callable[[Sequence[Any]], bool]
OfKind = Callable[[Run], Hashable]


def equal(values: Sequence[Any]) -> bool:
    """Whether all known values are the same."""
    return all(value == values[0] for value in values)


def within(share: float) -> Same:
    """Whether known numbers differ by less than this share of the greatest."""
    return lambda values: max(values) - min(values) <= share * max(map(abs, values))


def apart(share: float) -> Severity:
    """Severe where known numbers differ by more than this share of the greatest."""
    return lambda values: max(values) - min(values) > share * max(map(abs, values))


@dataclass(frozen=True)
class GuardedColumn:
    """One fact of all runs: a value each, None where it is not known, SKIP where it says nothing."""

    name: str
    label: str
    values: Sequence[Any]
    say: Callable[[Any], str] = str
    severe: Severity = False
    same: Same = equal

    @cached_property
    def known(self) -> list[Any]:
        """The values that can be compared."""
        return [value for value in self.values if value is not None and value is not SKIP]

    @property
    def differs(self) -> bool:
        """Whether two known values are not the same."""
        return len(self.known) > 1 and not self.same(self.known)

    @property
    def is_severe(self) -> bool:
        """Whether the difference is one that can explain what the table shows."""
        return self.severe if isinstance(self.severe, bool) else self.severe(self.known)


@dataclass(frozen=True)
class GuardedFact:
    """One value a run. `component` is whose fingerprint tells at once that it is the same everywhere.

    `of_kind`: only runs of one kind (a file system, a tool) are compared with each other in it.
    """

    name: str
    label: str
    of: Callable[[Run], Any]
    component: str = "run"
    say: Callable[[Any], str] = str
    severe: Severity = False
    same: Same = equal
    of_kind: OfKind | None = None

    def columns(self, runs: Sequence[Run], varied: frozenset[str]) -> Iterator[GuardedColumn]:
        """Its one column."""
        values = _of_one_kind([self.of(run) for run in runs], runs, self.of_kind, self.same)
        yield GuardedColumn(self.name, self.label, values, self.say, self.severe, self.same)


@dataclass(frozen=True)
class GuardedFamily:
    """Settings with free names, a column each: `NAME.KEY`. What a run does not set is `absent`, or says nothing.

    The dimension `NAME:KEY` varies one of them on purpose. `mild` are the keys that are not severe in a severe family.
    """

    name: str
    label: str
    of: Callable[[Run], Mapping[str, Any]]
    component: str = "run"
    absent: str | None = None
    severe: bool = False
    mild: frozenset[str] = frozenset()
    of_kind: OfKind | None = None

    def columns(self, runs: Sequence[Run], varied: frozenset[str]) -> Iterator[GuardedColumn]:
        """A column a setting that any run has, in the order in which they are met."""
        own = [self.of(run) for run in runs]
        absent = SKIP if self.absent is None else self.absent
        for key in dict.fromkeys(key for settings in own for key in settings):
            if f"{self.name}:{key}" in varied:
                continue
            found = [_plain(settings.get(key, absent)) for settings in own]
            values = _of_one_kind(found, runs, self.of_kind, equal)
            label = f"{self.label} {key.replace('_', ' ')}".strip()
            severe = self.severe and key not in self.mild
            yield GuardedColumn(f"{self.name}.{key}", label, values, partial(say_setting, key), severe)


@dataclass(frozen=True)
class GuardedOptions:
    """A set of words a run; said are only those that not all runs have.

    With `of_kind`, only the words that are `across` mean something everywhere; the others are compared within one kind.
    The dimension `DIMENSION:KEY` varies one of them on purpose.
    """

    name: str
    label: str
    of: Callable[[Run], Sequence[str] | None]
    component: str = "run"
    severe: bool = False
    of_kind: OfKind | None = None
    across: Callable[[str], bool] = lambda word: False
    dimension: str = ""

    def columns(self, runs: Sequence[Run], varied: frozenset[str]) -> Iterator[GuardedColumn]:
        """Its one column, of texts."""
        found = [self._words(run, varied) for run in runs]
        kinds = [self._kinds_of(run, words) for run, words in zip(runs, found, strict=True)]
        common: dict[Hashable, set[str]] = {}
        for own in kinds:
            for kind, words in own.items():
                common[kind] = common.get(kind, set(words)) & set(words)
        told = [
            {kind: [word for word in words if word not in common[kind]] for kind, words in own.items()} for own in kinds
        ]
        differing = {kind for own in told for kind, words in own.items() if words}
        yield GuardedColumn(
            self.name,
            self.label,
            [self._said(words, own, differing) for words, own in zip(found, told, strict=True)],
            severe=self.severe,
        )

    def _words(self, run: Run, varied: frozenset[str]) -> list[str] | None:
        words = self.of(run)
        keys = [name.partition(":")[2] for name in varied if name.startswith(f"{self.dimension}:")]
        return None if words is None else [word for word in words if not any(_is_of(word, key) for key in keys)]

    def _kinds_of(self, run: Run, words: Sequence[str] | None) -> dict[Hashable, list[str]]:
        """The words by what they are compared within: everything, or the runs of one kind."""
        if words is None:
            return {}
        if self.of_kind is None:
            return {EVERYTHING: list(words)}
        own: dict[Hashable, list[str]] = {EVERYTHING: [], self.of_kind(run): []}
        for word in words:
            own[EVERYTHING if self.across(word) else self.of_kind(run)].append(word)
        return own

    @staticmethod
    def _said(words: Sequence[str] | None, told: Mapping[Hashable, list[str]], differing: set[Hashable]) -> Any:
        if words is None:
            return None
        own = [word for each in told.values() for word in each]
        return ", ".join(own) or ("none of these" if differing & told.keys() else SKIP)


Guarded = GuardedFact | GuardedFamily | GuardedOptions


def matches(name: str, patterns: Sequence[str]) -> bool:
    """Whether a column's name is one of these, `*` standing for anything."""
    return _pattern(tuple(patterns)).match(name) is not None


@lru_cache(maxsize=1000)
def _pattern(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """All of them as one; `translate` ends each with the end of the name. None of them matches nothing."""
    return re.compile("|".join(map(translate, patterns)) or r"(?!)")


def _of_one_kind(values: Sequence[Any], runs: Sequence[Run], of_kind: OfKind | None, same: Same) -> Sequence[Any]:
    """The values, SKIP for the runs of a kind in which nothing differs: between kinds nothing is compared."""
    if of_kind is None:
        return values
    kinds = [of_kind(run) for run in runs]
    differing = {kind for kind in set(kinds) if GuardedColumn("", "", _only(values, kinds, kind), same=same).differs}
    return [value if kind in differing else SKIP for value, kind in zip(values, kinds, strict=True)]


def _only(values: Sequence[Any], kinds: Sequence[Hashable], kind: Hashable) -> list[Any]:
    return [value for value, own in zip(values, kinds, strict=True) if own == kind]


def _plain(value: Any) -> Any:
    """As something that can be counted."""
    if not isinstance(value, list):
        return value
    return tuple(each if isinstance(each, str | int | float) else str(each) for each in value)


def _is_of(word: str, key: str) -> bool:
    """Whether an option is KEY, KEY=…, noKEY, or `KEY value`."""
    return word in (key, f"no{key}") or word.startswith((f"{key}=", f"{key} "))
