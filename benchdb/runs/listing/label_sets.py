"""The labels of runs: the filter by them, and those that each web process keeps to count them.

Any run may have labels that no other has. So a request reads keys of sets of labels, each process reads each set once,
and of more than `MOST_TEXTS` different labels it keeps those with the most runs.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from heapq import nsmallest
from threading import Lock

from django.db.models import BigIntegerField, BooleanField, Func, Q, Value

from benchdb.facts.dimension import DimensionValue
from benchdb.runs.models import RunStateQuerySet

from .facet_rows import READ_AT_ONCE, Members

MOST_TEXTS = 10_000  # of at most 400 characters; half of them are left when there are more
MOST_SETS = 200_000  # about 200 bytes each

NOTHING = Q(pk=None)


class LabelsKey(Func):
    """64 bits that tell labels from others; other labels with the same bits cannot be made without the seed.

    PostgreSQL groups by it faster than by labels, and by texts of 25,000 characters five times as fast.
    """

    function = "jsonb_hash_extended"
    template = f"%(function)s(%(expressions)s, {secrets.randbits(63)})"  # of this process
    output_field = BigIntegerField()


class _Labelled(Func):
    """Whether labels contain one of an array of texts `key=value`."""

    arg_joiner = ") l WHERE l.key || '=' || l.value = ANY("
    template = "EXISTS (SELECT FROM jsonb_each_text(%(expressions)s::text[]))"
    output_field = BooleanField()


def labelled(values: Collection[DimensionValue]) -> Q:
    """Runs with one of the labels `key=value`, None for no label; the key may contain an equals sign too."""
    texts = [value for value in values if value is not None]
    return Q(_Labelled("labels", Value(texts))) | (Q(labels={}) if None in values else NOTHING)


class KeptLabels:
    """The sets of labels that a process has read, by `LabelsKey`; threads may share it."""

    def __init__(self, most: int = MOST_TEXTS, most_sets: int = MOST_SETS) -> None:
        self._most, self._most_sets = most, most_sets
        self._sets: dict[int, Members] = {}
        self._texts: dict[DimensionValue, DimensionValue] = {}  # each label once
        self._reading = Lock()

    def sets(self, states: RunStateQuerySet, runs: Mapping[int, int]) -> Mapping[int, Members]:
        """The labels `key=value` of these states by key, where `runs` of them have each key; no query if all are kept.

        Of more than `most` labels, or of more than `most_sets` sets, those with few runs are left out.
        """
        wanted: Collection[int] = runs.keys()
        if len(runs) > self._most_sets:
            wanted = nsmallest(self._most_sets, runs, key=lambda key: (-runs[key], key))
        if all(key in self._sets for key in wanted):
            return self._sets
        with self._reading:  # one thread reads what several need
            missing = [key for key in wanted if key not in self._sets]
            if len(self._sets) + len(missing) > self._most_sets:
                self._sets, self._texts, missing = {}, {}, list(wanted)
            for start in range(0, len(missing), READ_AT_ONCE):
                self._read(states, missing[start : start + READ_AT_ONCE], runs)
            return self._sets

    def _read(self, states: RunStateQuerySet, keys: Sequence[int], runs: Mapping[int, int]) -> None:
        labelled_states = states.annotate(key=LabelsKey("labels")).filter(key__in=keys).order_by()
        for key, labels in labelled_states.values_list("key", "labels").distinct().iterator():
            # Labels with an equals sign in their names may read alike.
            texts = tuple(dict.fromkeys(f"{name}={value}" for name, value in labels.items())) or (None,)
            self._sets[key] = tuple(self._texts.setdefault(text, text) for text in texts)
            if len(self._texts) > self._most:
                self._drop(runs)

    def _drop(self, runs: Mapping[int, int]) -> None:
        """Keep half of the labels: those with the most runs, of these the ones that were read last."""
        counts: Counter[DimensionValue] = Counter({None: 1 + sum(runs.values())})
        for key in reversed(self._sets):
            for text in self._sets[key]:
                counts[text] += runs.get(key, 0)
        self._texts = {text: text for text, _ in counts.most_common(self._most // 2)}
        self._sets = {key: tuple(text for text in texts if text in self._texts) for key, texts in self._sets.items()}


kept_labels = KeptLabels()
