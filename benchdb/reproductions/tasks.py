"""The Celery task of reproductions; the timer of the sweep starts it, and the tables are its queue."""

from __future__ import annotations

import time

from django.conf import settings

from benchdb.celery import app
from benchdb.plans.models import Campaign, CampaignState

from .models import Reproduction
from .services import judge_campaign, judge_pair

CAMPAIGNS_AT_ONCE = 50
PAIRS_AT_ONCE = 200
SECONDS = 30  # after which a sweep ends; the next one continues


@app.task(soft_time_limit=settings.STATISTICS_SECONDS, time_limit=settings.STATISTICS_SECONDS + 15)
def sweep() -> int:
    """Compare campaigns that ended, and look again at the pairs that were looked at longest ago. Returns their number.

    Runs that arrive late, are withdrawn, hidden, deleted or read again change the answer of a pair.
    """
    until = time.monotonic() + SECONDS
    done = 0
    ended = Campaign.objects.filter(judged_at=None).exclude(state=CampaignState.RUNNING).select_related("machine")
    for campaign in ended.order_by("-id")[:CAMPAIGNS_AT_ONCE]:
        judge_campaign(campaign)
        done += 1
        if time.monotonic() > until:
            return done
    pairs = Reproduction.objects.defer("content", "runs").select_related("original__machine", "repetition__machine")
    for pair in pairs.order_by("checked_at")[:PAIRS_AT_ONCE]:
        judge_pair(pair.original, pair.repetition)
        done += 1
        if time.monotonic() > until:
            break
    return done
