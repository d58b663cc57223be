"""The context of a campaign's page: its progress and the matrix of all its points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.dateparse import parse_datetime

from benchdb.runs.facts.terms import Fact, fact
from benchdb.runs.listing.search import MOST_CHOSEN
from benchdb.runs.models import Visibility
from benchdb.wording.numbers import plural, say_duration, say_number

from .matrix import Context, MatrixPage, matrix, why_skipped
from .models import Campaign, CampaignState, Job
from .queries import CampaignStatus

ENDS = {
    CampaignState.FINISHED: "finished",
    CampaignState.STOPPED: "stopped before its end",
    CampaignState.KILLED: "ended when its agent was killed",
    CampaignState.FAILED: "failed",
}


def campaign_context(status: CampaignStatus, state: str = "", first: int = 0) -> Context:
    """The context of `plans/campaign.html`: all points, or those in one state, from the row `first` on."""
    campaign, reasons = status.campaign, why_skipped(status.points)
    running = campaign is not None and not campaign.is_over
    points = [point for point in status.points if state in ("", point.state)]
    matrix_page = matrix(points, campaign, reasons, first)
    return {
        "section": "machines",
        "title": _title(status),
        "machine": _machine(status),
        "tally": _tally(status, state),
        "state": state,
        "points": _points(status, state),
        "matrix": matrix_page.context,
        "pages": _pages(status, state, matrix_page),
        "reasons": [
            {"id": f"why-{number}", "number": number, "text": text, "points": plural(points, "point")}
            for text, (number, points) in reasons.items()
        ],
        "facts": _facts(campaign) if campaign else [],
        "end": _end(campaign) if campaign else None,
        "progress": job_progress(status.job) if running and status.job else None,
        "poll": _poll(status) if running else None,
        "plan_text": campaign and campaign.plan_text,
        "compare": _compare(status),
        "runs": f"{reverse('runs')}?{urlencode({'campaign': status.id})}" if _measured(status) else None,
        "data": reverse("api-1:get_campaign", args=[status.id]),
        "campaign_id": status.id,
    }


def job_progress(job: Job) -> Context:
    """The context of `plans/partials/progress.html`."""
    progress = job.progress or {}
    share = progress.get("share")
    left = progress.get("left")
    done = progress.get("points_done")
    return {
        "text": f"round {progress['round']}, {progress.get('point', '')}" if progress.get("round") else "getting ready",
        "done": f"{plural(done, 'point')} done in this round" if done else None,
        "percent": None if share is None else round(100 * share),
        "left": None if left is None else f"about {say_duration(left)} left",
        "at": parse_datetime(progress["at"]) if "at" in progress else None,
        "cancel": job.cancel,
    }


def _poll(status: CampaignStatus) -> Context:
    """The address that `app.js` polls, and the version of this page."""
    return {"href": reverse("api-1:campaign_state", args=[status.id]), "version": status.version}


def _measured(status: CampaignStatus) -> int:
    """The number of points with a run that the reader may see."""
    return sum(point.run_id is not None for point in status.points)


def _compare(status: CampaignStatus) -> Context | None:
    """The comparison of all its runs, directly or through the tray; None for too many runs."""
    if not 0 < status.runs <= MOST_CHOSEN:
        return None
    name = status.campaign.plan_name if status.campaign else "campaign"
    href = f"{reverse('compare')}?{urlencode({'campaign': status.id})}"
    return {"href": href, "label": f"{name}, {plural(status.runs, 'run')}"}


def _machine(status: CampaignStatus) -> str | None:
    """The page of its machine, if the reader may list a run of the machine."""
    campaign = status.campaign
    if campaign is None or campaign.visibility == Visibility.UNLISTED:
        return None
    is_listed = campaign.visibility == Visibility.PRIVATE or _measured(status)
    return reverse("machine", args=[campaign.machine_id]) if is_listed else None


def _address(status: CampaignStatus, state: str, first: int = 0) -> str:
    parameters = [(name, value) for name, value in (("state", state), ("row", first)) if value]
    here = reverse("campaign", args=[status.id])
    return f"{here}?{urlencode(parameters)}#points" if parameters else here


def _points(status: CampaignStatus, state: str) -> Context:
    """The number of all points, with a link to all points on a page of one state."""
    number = len(status.points)
    text = _counted(number, "point" if number == 1 else "points")
    return {"text": text, "href": _address(status, "") if state else None}


def _tally(status: CampaignStatus, chosen: str) -> list[Context]:
    """The number of points in each state with a link to them; `from` and `share` are per cent of a bar."""
    states: list[Context] = []
    for state, number in status.tally.items():
        share = 100 * number / len(status.points)
        start = states[-1]["from"] + states[-1]["share"] if states else 0.0
        bar = {"from": round(start, 2), "share": round(share, 2)}
        text = _counted(number, state)
        states.append({"state": state, "text": text, "href": _address(status, state), "chosen": state == chosen, **bar})
    return states


def _counted(number: int, word: str) -> str:
    return f"{say_number(number, 0)} {word}"


def _pages(status: CampaignStatus, state: str, matrix_page: MatrixPage) -> Context | None:
    """Links to the rows before and after; None if the page has all rows."""
    if matrix_page.before is None and matrix_page.after is None:
        return None
    last = matrix_page.after or matrix_page.rows
    return {
        "text": f"rows {matrix_page.first + 1} to {last} of {matrix_page.rows}",
        "before": None if matrix_page.before is None else _address(status, state, matrix_page.before),
        "after": None if matrix_page.after is None else _address(status, state, matrix_page.after),
    }


def _title(status: CampaignStatus) -> Context:
    campaign = status.campaign
    if campaign is None:
        return {"parts": ["Campaign"], "time": None, "state": None}
    return {
        "parts": [campaign.plan_name, campaign.machine.name],
        "time": campaign.started_at,
        "state": campaign.state,
    }


def _facts(campaign: Campaign) -> list[Fact]:
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
