"""The Celery task of reproductions; the timer of the sweep starts it, and the tables are its queue."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import partial

from django.db.models import F, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from benchdb.celery import alone, app
from benchdb.plans.models import Campaign, CampaignState

from .models import Reproduction
from .services import judge_campaign, judge_pair

CAMPAIGNS_AT_ONCE = 50
PAIRS_AT_ONCE = 200
SECONDS = 10  # of a sweep for campaigns, and again for pairs; the next one continues
MOST_ATTEMPTS = 2  # so that a campaign that kills its worker is given up
LIMIT = 300  # after which a hanging sweep is stopped


@app.task(soft_time_limit=LIMIT, time_limit=LIMIT + 15)
@alone
def sweep() -> int:
    """Compare campaigns that ended, and look again at the pairs that were looked at longest ago. Returns their number.

    Runs that arrive late, are withdrawn, hidden, deleted or read again change the answer of a pair. Each attempt is
    stored before the work, so that what kills the process is not first again.
    """
    turn = Window(RowNumber(), partition_by="owner", order_by=["judge_attempts", "-id"])
    waiting = Campaign.objects.filter(judged_at=None, judge_attempts__lt=MOST_ATTEMPTS).annotate(turn=turn)
    ended = waiting.exclude(state=CampaignState.RUNNING).select_related("machine")
    pairs = Reproduction.objects.defer("content", "runs").select_related("original__machine", "repetition__machine")
    # Accounts take turns, in another order each time, since one campaign may take all of the time.
    done = _work(partial(_judge_campaign, each) for each in ended.order_by("turn", "?")[:CAMPAIGNS_AT_ONCE])
    return done + _work(partial(_judge_pair, each) for each in pairs.order_by("checked_at")[:PAIRS_AT_ONCE])


def _work(judging: Iterable[Callable[[], None]]) -> int:
    done, until = 0, time.monotonic() + SECONDS
    for done, judge in enumerate(judging, 1):
        judge()
        if time.monotonic() > until:
            return done
    return done


def _judge_campaign(campaign: Campaign) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(judge_attempts=F("judge_attempts") + 1)
    judge_campaign(campaign)


def _judge_pair(pair: Reproduction) -> None:
    Reproduction.objects.filter(pk=pair.pk).update(checked_at=timezone.now())
    judge_pair(pair.original, pair.repetition)
