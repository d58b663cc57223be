"""What the samples and rounds of a run say of its machine's state, read together with the run."""

from __future__ import annotations

from django.db.models import JSONField
from django.db.models.expressions import RawSQL

from .run import RunQuerySet


def with_conditions(runs: RunQuerySet) -> RunQuerySet:
    """The runs `in_short`, with `frequency_inside` and `stolen_inside`, which are None without samples."""
    return in_short(runs).annotate(frequency_inside=RawSQL(_FREQUENCY, []), stolen_inside=RawSQL(_STOLEN, []))


def in_short(runs: RunQuerySet) -> RunQuerySet:
    """The runs with `short_rounds` in place of `rounds`, which may have megabytes of kernel messages.

    `benchdb.facts.measuring.rounds_of` reads both.
    """
    return runs.defer("rounds").annotate(short_rounds=RawSQL(_ROUNDS, [], output_field=JSONField()))


_FREQUENCY = """
(SELECT avg(s.totals[array_position(s.names, 'cpu_frequency')]) FROM runs_roundseries s WHERE s.run_id = runs_run.id)
"""
_STOLEN = """
(SELECT sum(s.totals[array_position(s.names, 'cpu_stolen')]) / nullif(sum(s.seconds), 0)
 FROM runs_roundseries s WHERE s.run_id = runs_run.id)
"""
_ROUNDS = """
(SELECT coalesce(jsonb_agg(jsonb_build_object('position', round -> 'position', 'evidence', jsonb_build_object(
    'noise', jsonb_build_object('score', round #> '{evidence,noise,score}'),
    'disturbances', round #> '{evidence,disturbances}')) ORDER BY number), '[]')
 FROM jsonb_array_elements(runs_run.rounds) WITH ORDINALITY AS rounds (round, number))
"""
