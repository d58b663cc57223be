"""The Celery task of reproductions; `benchdb.celery.sweep_in_turn` calls it, and the tables are its queue."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import partial

from django.db.models import F, TextField, Window
from django.db.models.expressions import RawSQL
from django.db.models.functions import RowNumber
from django.utils import timezone

from benchdb.celery import app
from benchdb.plans.models import Campaign, CampaignState

from .models import STAMP, Reproduction
from .services import judge_campaign, judge_pair

CAMPAIGNS_AT_ONCE = 50
PAIRS_AT_ONCE = 200
SECONDS = 5  # of a sweep for campaigns, and again for pairs; the next one continues
MOST_ATTEMPTS = 2  # so that a campaign that kills its worker is given up


@app.task
def sweep() -> int:
    """Compare campaigns that ended, and again the pairs whose runs changed. Returns the number of both.

    Runs that arrive late, are withdrawn, hidden, deleted or read again change the answer of a pair. Each attempt is
    stored before the work, so that what kills the process is not first again.
    """
    turn = Window(RowNumber(), partition_by="owner", order_by=["judge_attempts", "-id"])
    waiting = Campaign.objects.filter(judged_at=None, judge_attempts__lt=MOST_ATTEMPTS).annotate(turn=turn)
    ended = waiting.exclude(state=CampaignState.RUNNING).select_related("machine")
    until = time.monotonic() + SECONDS
    # Accounts take turns, in another order each time, since one campaign may take all of the time.
    campaigns = ended.order_by("turn", "?")[:CAMPAIGNS_AT_ONCE]
    return _work((partial(_judge_campaign, each, until) for each in campaigns), until) + _judge_again()


def _judge_again() -> int:
    """Judge those of the pairs looked at longest ago whose runs changed; accounts take turns. Returns their number."""
    turn = Window(RowNumber(), partition_by="repetition__owner", order_by="checked_at")
    stamped = Reproduction.objects.annotate(turn=turn, now=RawSQL(STAMP, [], output_field=TextField()))
    pairs = list(stamped.order_by("turn", "checked_at").values_list("pk", "stamp", "now")[:PAIRS_AT_ONCE])
    Reproduction.objects.filter(pk__in=[pair for pair, before, stamp in pairs if before == stamp]).update(
        checked_at=timezone.now()
    )
    changed = (partial(_judge_pair, pair, stamp) for pair, before, stamp in pairs if before != stamp)
    return _work(changed, time.monotonic() + SECONDS)


def _work(judging: Iterable[Callable[[], None]], until: float) -> int:
    done = 0
    for done, judge in enumerate(judging, 1):
        judge()
        if time.monotonic() > until:
            return done
    return done


def _judge_campaign(campaign: Campaign, until: float) -> None:
    this = Campaign.objects.filter(pk=campaign.pk)
    this.update(judge_attempts=F("judge_attempts") + 1)
    if not judge_campaign(campaign, until):  # time was over, which is no failure
        this.update(judge_attempts=campaign.judge_attempts)


def _judge_pair(pair_id: int, stamp: str) -> None:
    """Judge a pair again. The stamp was read before, so a run that arrives meanwhile makes a later sweep look again."""
    this = Reproduction.objects.filter(pk=pair_id)
    this.update(checked_at=timezone.now())
    for pair in this.defer("packed", "runs").select_related("original__machine", "repetition__machine"):
        try:
            judge_pair(pair.original, pair.repetition)
        finally:  # a defect does not stop each sweep
            this.update(stamp=stamp)
