"""What the samples of a run say of its machine's state, read together with the run."""

from __future__ import annotations

from django.db.models.expressions import RawSQL

from .run import RunQuerySet


def with_conditions(runs: RunQuerySet) -> RunQuerySet:
    """The runs with `frequency_inside` and `stolen_inside`, which are None without samples."""
    return runs.annotate(frequency_inside=RawSQL(_FREQUENCY, []), stolen_inside=RawSQL(_STOLEN, []))


_FREQUENCY = """
(SELECT avg(s.totals[array_position(s.names, 'cpu_frequency')]) FROM runs_roundseries s WHERE s.run_id = runs_run.id)
"""
_STOLEN = """
(SELECT sum(s.totals[array_position(s.names, 'cpu_stolen')]) / nullif(sum(s.seconds), 0)
 FROM runs_roundseries s WHERE s.run_id = runs_run.id)
"""
