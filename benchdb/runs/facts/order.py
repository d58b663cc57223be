"""Warnings about the order in which the runs of a campaign were measured. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter

from benchdb.facts.measuring import rounds_of
from benchdb.facts.stored import StoredProtocol
from benchdb.runs.models import Run
from benchdb.stats import StatisticsWarning, WarningCode, matrix
from benchdb.stats.trust.position import POSITION_LEVEL, PositionEffect, position_effect

FIXED_ORDERS = ("interleaved", "sequential")
Values = Sequence[float | None]  # of the rounds


def order_warnings(runs: Iterable[Run], results: Mapping[str, Sequence[Values]]) -> list[StatisticsWarning]:
    """The warnings about runs that share a campaign: a fixed order of rounds, or an effect of the position in them.

    `results` are the values of each run's results by the id of the run. The effect is tested in each campaign; p is
    corrected for several campaigns (Bonferroni).
    """
    campaigns = list(_campaigns(runs))
    warnings = [StatisticsWarning(WarningCode.FIXED_ORDER)] if any(map(_is_fixed, campaigns)) else []
    effects = [effect for campaign in campaigns if (effect := _effect(campaign, results)) is not None]
    strongest = min(effects, key=attrgetter("p"), default=None)
    if strongest is not None and strongest.p * len(effects) < POSITION_LEVEL:
        numbers = {"change": strongest.change, "p": strongest.p * len(effects)}
        warnings.append(StatisticsWarning(WarningCode.POSITION, numbers))
    return warnings


def _campaigns(runs: Iterable[Run]) -> Iterator[list[Run]]:
    """The runs of each campaign with several; a run of another machine, thus of another owner, is not part of it."""
    key = attrgetter("campaign_id", "machine_id")
    of_campaigns = sorted((run for run in runs if run.campaign_id), key=key)
    groups = (list(group) for _, group in groupby(of_campaigns, key=key))
    return (group for group in groups if len(group) > 1)


def _is_fixed(campaign: Sequence[Run]) -> bool:
    """Whether all rounds of these runs had one order."""
    protocols: list[StoredProtocol] = [run.protocol for run in campaign]
    return any(protocol["order"] in FIXED_ORDERS for protocol in protocols)


def _effect(campaign: Sequence[Run], results: Mapping[str, Sequence[Values]]) -> PositionEffect | None:
    """The effect of the position in the rounds that all runs with values have."""
    measured = [run for run in campaign if results.get(str(run.id))]
    number = min((run.round_count for run in measured), default=0)
    if not number:
        return None
    points = [index for index, run in enumerate(measured) for _ in results[str(run.id)]]
    values = matrix([row[:number] for run in measured for row in results[str(run.id)]])
    positions = [[round_["position"] for round_ in rounds_of(run)[:number]] for run in measured]
    return position_effect(values, points, positions)
