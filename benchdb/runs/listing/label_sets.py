"""The labels of runs: the filter by them, and those that each web process keeps to count them.

Any run may have labels that no other has. So a request reads keys of sets of labels, each process reads each set once,
and of more than `MOST_TEXTS` different labels it keeps those with the most runs.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Collection, Mapping
from threading import Lock

from django.db.models import BigIntegerField, BooleanField, Func, Q, Value

from benchdb.facts.dimension import DimensionValue
from benchdb.runs.models import RunStateQuerySet

from .facet_rows import READ_AT_ONCE, Members

MOST_TEXTS = 10_000  # of at most 400 characters; half of them are left when there are more
UNUSED = 100_000  # sets that may be kept besides those of a list, 200 bytes each
NOTHING = Q(pk=None)
# 64 bits that tell labels from others: nobody can make labels with the same ones who does not know the number of this
# process. PostgreSQL groups by them at least twice as fast as by labels.
KEY = Func("labels", Value(secrets.randbits(63)), function="jsonb_hash_extended", output_field=BigIntegerField())


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
    """The sets of labels that a process has read, by `KEY`; threads may share it."""

    def __init__(self, most: int = MOST_TEXTS) -> None:
        self._most = most
        self._sets: dict[int, Members] = {}
        self._texts: dict[DimensionValue, DimensionValue] = {}  # each label once
        self._reading = Lock()

    def sets(self, states: RunStateQuerySet, runs: Mapping[int, int]) -> Mapping[int, Members]:
        """The labels `key=value` of these states by `KEY`; no query if all are kept. `runs` is the number of each.

        If there are more than `most` labels, some with few runs are left out.
        """
        if runs.keys() <= self._sets.keys():
            return self._sets
        with self._reading:  # one thread reads what several need
            if len(self._sets) > UNUSED + 2 * len(runs):  # most are of changed or deleted runs
                self._sets, self._texts = {}, {}
            missing = list(runs.keys() - self._sets.keys())
            for start in range(0, len(missing), READ_AT_ONCE):
                read = states.annotate(key=KEY).filter(key__in=missing[start : start + READ_AT_ONCE]).order_by()
                for key, labels in read.values_list("key", "labels").distinct().iterator():
                    # Labels with an equals sign in their names may read alike.
                    texts = tuple(dict.fromkeys(f"{name}={value}" for name, value in labels.items())) or (None,)
                    self._sets[key] = tuple(self._texts.setdefault(text, text) for text in texts)
                    if len(self._texts) > self._most:
                        self._drop(runs)
            return self._sets

    def _drop(self, runs: Mapping[int, int]) -> None:
        """Keep half of the labels: those with the most runs, of these the ones that were read last."""
        counts: Counter[DimensionValue] = Counter({None: sum(runs.values())})  # "no label" is always kept
        for key in reversed(self._sets):
            counts.update(dict.fromkeys(self._sets[key], runs.get(key, 0)))
        self._texts = {text: text for text, _ in counts.most_common(self._most // 2)}
        self._sets = {key: tuple(text for text in texts if text in self._texts) for key, texts in self._sets.items()}


kept_labels = KeptLabels()
