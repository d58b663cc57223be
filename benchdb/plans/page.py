"""What the page of a campaign shows: how far it is, and the matrix of its points, every one accounted for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.dateparse import parse_datetime

from benchdb.runs.facts.terms import fact
from benchdb.runs.listing.search import MOST_CHOSEN
from benchdb.runs.models import Visibility
from benchdb.wording.numbers import plural, say_duration, say_number

from .matrix import Part, matrix, why_skipped
from .models import Campaign, CampaignState, Job
from .queries import Standing

Context = dict[str, Any]
ENDS = {
    CampaignState.FINISHED: "finished",
    CampaignState.STOPPED: "stopped before its end",
    CampaignState.KILLED: "ended when its agent was killed",
    CampaignState.FAILED: "failed",
}


def campaign_context(found: Standing, state: str = "", first: int = 0) -> Context:
    """The context of `plans/campaign.html`: all points, or those in one state, from the row `first` on."""
    campaign, reasons = found.campaign, why_skipped(found.points)
    running = campaign is not None and not campaign.is_over
    points = [point for point in found.points if state in ("", point.state)]
    part = matrix(points, campaign, reasons, first)
    return {
        "section": "machines",
        "title": _title(found),
        "machine": _machine(found),
        "tally": _tally(found, state),
        "state": state,
        "points": _points(found, state),
        "matrix": part.context,
        "pages": _pages(found, state, part),
        "reasons": [
            {"id": f"why-{number}", "number": number, "text": text, "points": plural(points, "point")}
            for text, (number, points) in reasons.items()
        ],
        "facts": _facts(campaign) if campaign else [],
        "end": _end(campaign) if campaign else None,
        "progress": job_progress(found.job) if running and found.job else None,
        "poll": _poll(found) if running else None,
        "plan_text": campaign and campaign.plan_text,
        "compare": _compare(found),
        "runs": f"{reverse('runs')}?{urlencode({'campaign': found.id})}" if _measured(found) else None,
        "data": reverse("api-1:get_campaign", args=[found.id]),
        "campaign_id": found.id,
    }


def job_progress(job: Job) -> Context:
    """The context of `plans/partials/progress.html`."""
    said = job.progress or {}
    share = said.get("share")
    left = said.get("left")
    done = said.get("points_done")
    return {
        "text": f"round {said['round']}, {said.get('point', '')}" if said.get("round") else "getting ready",
        "done": f"{plural(done, 'point')} done in this round" if done else None,
        "percent": None if share is None else round(100 * share),
        "left": None if left is None else f"about {say_duration(left)} left",
        "at": parse_datetime(said["at"]) if "at" in said else None,
        "cancel": job.cancel,
    }


def _poll(found: Standing) -> Context:
    """What `app.js` asks, and what it is told as long as nothing changes."""
    return {"href": reverse("api-1:campaign_state", args=[found.id]), "version": found.version}


def _measured(found: Standing) -> int:
    """How many of its points have a run that the reader may see."""
    return sum(point.run_id is not None for point in found.points)


def _compare(found: Standing) -> Context | None:
    """The comparison of all its runs, at once or beside others that are gathered in the tray; None for too many."""
    if not 0 < found.runs <= MOST_CHOSEN:
        return None
    name = found.campaign.plan_name if found.campaign else "campaign"
    href = f"{reverse('compare')}?{urlencode({'campaign': found.id})}"
    return {"href": href, "label": f"{name}, {plural(found.runs, 'run')}"}


def _machine(found: Standing) -> str | None:
    """The page of its machine, which is there for whoever may list a run of it."""
    campaign = found.campaign
    if campaign is None or campaign.visibility == Visibility.UNLISTED:
        return None
    known = campaign.visibility == Visibility.PRIVATE or _measured(found)
    return reverse("machine", args=[campaign.machine_id]) if known else None


def _address(found: Standing, state: str, first: int = 0) -> str:
    asked = [(name, value) for name, value in (("state", state), ("row", first)) if value]
    here = reverse("campaign", args=[found.id])
    return f"{here}?{urlencode(asked)}#points" if asked else here


def _points(found: Standing, state: str) -> Context:
    """How many there are in all; leads to all where only those in one state are shown."""
    number = len(found.points)
    text = _counted(number, "point" if number == 1 else "points")
    return {"text": text, "href": _address(found, "") if state else None}


def _tally(found: Standing, chosen: str) -> list[Context]:
    """How many points are in each state; each leads to its points alone. `from` and `share` are per cent of a bar."""
    said: list[Context] = []
    for state, number in found.tally.items():
        share = 100 * number / len(found.points)
        start = said[-1]["from"] + said[-1]["share"] if said else 0.0
        place = {"from": round(start, 2), "share": round(share, 2)}
        text = _counted(number, state)
        said.append({"state": state, "text": text, "href": _address(found, state), "chosen": state == chosen, **place})
    return said


def _counted(number: int, word: str) -> str:
    return f"{say_number(number, 0)} {word}"


def _pages(found: Standing, state: str, part: Part) -> Context | None:
    """The rows before and after those that are shown; None where all are."""
    if part.before is None and part.after is None:
        return None
    last = part.after or part.rows
    return {
        "text": f"rows {part.first + 1} to {last} of {part.rows}",
        "before": None if part.before is None else _address(found, state, part.before),
        "after": None if part.after is None else _address(found, state, part.after),
    }


def _title(found: Standing) -> Context:
    campaign = found.campaign
    if campaign is None:
        return {"parts": ["Campaign"], "time": None, "state": None}
    return {
        "parts": [campaign.plan_name, campaign.machine.name],
        "time": campaign.started_at,
        "state": campaign.state,
    }


def _facts(campaign: Campaign) -> list[Context]:
    settings = campaign.settings
    rounds = settings["rounds"]
    bounds = [say_number(rounds, 0)] if rounds is not None else []
    if settings.get("time_budget") is not None:
        bounds.append(f"until {say_duration(settings['time_budget'])} are used up")
    if settings.get("precision") is not None:
        bounds.append(f"until the mean of every result is known within ± {100 * settings['precision']:g} %")
    listed = [
        ("rounds", ", ".join(bounds) or "no limit"),
        ("order", settings["order"] + (f", seed {settings['seed']}" if settings["order"] == "shuffled" else "")),
        ("cache", settings["cache"]),
        ("agent", f"benchagent {campaign.agent_version}"),
        ("visibility", campaign.visibility),
    ]
    return [fact(term, value) for term, value in listed]


def _end(campaign: Campaign) -> Context | None:
    ended: Mapping[str, Any] | None = campaign.ended
    if ended is None:
        return None
    return {
        "text": f"It {ENDS[CampaignState(campaign.state)]}",
        "at": parse_datetime(ended["at"]),
        "reason": ended.get("reason"),
    }
