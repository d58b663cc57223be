"""Warnings about the order in which a campaign measured its points."""

from __future__ import annotations

from collections import defaultdict
from uuid import UUID

from benchdb.runs.costs import before_results
from benchdb.runs.facts.order import Values, order_warnings
from benchdb.runs.models import Run
from benchdb.runs.queries import measured
from benchdb.stats import warning_sentence

from .queries import CampaignStatus

MOST_RUNS = 50  # whose values a page reads; a table of more runs has the same warning
METRICS = ("throughput", "rate")  # higher is better in both


def warnings_of_order(status: CampaignStatus) -> list[str]:
    """The sentences about a campaign that is over; at most two queries. Raises MustWait."""
    ids: list[UUID] = [point.run_id for point in status.points if point.run_id is not None]
    if status.campaign is None or not status.campaign.is_over or not 1 < len(ids) <= MOST_RUNS:
        return []
    columns = ("campaign_id", "machine_id", "protocol", "rounds", "round_count", "runstate__result_count")
    runs = list(Run.objects.filter(pk__in=ids).select_related("runstate").only(*columns))
    before_results(runs)
    results: dict[str, list[Values]] = defaultdict(list)
    for result in measured(ids, {"metric": METRICS}):
        if result.values:
            results[str(result.run_id)].append(result.values)
    return [warning_sentence(warning) for warning in order_warnings(runs, results)]
