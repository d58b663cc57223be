"""The page of a campaign: its progress and the matrix of all its points."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse
from django.utils.dateparse import parse_datetime

from benchdb.plans.matrix import MatrixPage, matrix, why_skipped
from benchdb.plans.models import Campaign, CampaignState, Job
from benchdb.plans.queries import CampaignStatus
from benchdb.plans.stored import StoredEnd, StoredProgress, StoredSettings
from benchdb.runs.costs import before_results
from benchdb.runs.facts.order import Values, order_warnings
from benchdb.runs.facts.terms import fact
from benchdb.runs.listing.search import MOST_CHOSEN
from benchdb.runs.models import Run, Visibility, in_short
from benchdb.runs.queries import measured
from benchdb.stats import warning_sentence
from benchdb.wording.names import told_apart
from benchdb.wording.numbers import plural, say_duration, say_number

ENDS = {
    CampaignState.FINISHED: "finished",
    CampaignState.STOPPED: "stopped before its end",
    CampaignState.KILLED: "ended when its agent was killed",
    CampaignState.FAILED: "failed",
}


def campaign_page_of(
    status: CampaignStatus,
    state: str = "",
    first: int = 0,
    tools: Sequence[str] = (),
    *,
    curves: bool = False,
    repeated: Sequence[dict[str, object]] = (),
) -> dict[str, object]:
    """The page with all points, or those in one state, from the row `first` on.

    `tools` are those of its runs, the one with the most figures first; `curves` if they measured rising load.
    """
    campaign, reasons = status.campaign, why_skipped(status.points)
    running = campaign is not None and not campaign.is_over
    points = [point for point in status.points if state in ("", point.state)]
    matrix_page = matrix(points, campaign, reasons, first)
    # The context of plans/campaign.html. `state` is that of the shown points, "" for all. Without an announcement there
    # are no `facts` and no `plan_text`; `progress` and `poll` are None unless the campaign is running; `compare` is
    # None for too many runs. `machine`, `runs` and `data` are addresses. `warnings` are about the order of the points.
    return {
        "title": _title(status),
        "owner": status.owner,
        "machine": _machine(status),
        "tally": _tally(status, state),
        "state": state,
        "points": _points(status, state),
        "matrix": matrix_page.matrix,
        "pages": _pages(status, state, matrix_page),
        "reasons": [
            {"id": f"why-{number}", "number": number, "text": text, "points": plural(points, "point")}
            for text, (number, points) in reasons.items()
        ],
        "facts": _facts(campaign) if campaign else [],
        "end": _end(campaign) if campaign else None,
        "warnings": warnings_of_order(status),
        "progress": job_progress(status.job) if running and status.job else None,
        "poll": {"href": reverse("api-1:campaign_state", args=[status.id]), "version": status.version}
        if running
        else None,
        "plan_text": campaign.plan_text if campaign else None,
        "compare": _compare(status, tools, curves=curves),
        "runs": f"{reverse('runs')}?{urlencode({'campaign': status.id})}" if _measured(status) else None,
        "data": reverse("api-1:get_campaign", args=[status.id]),
        "repeated": repeated,
        "campaign_id": status.id,
        "section": "machines",
    }


def job_progress(job: Job) -> dict[str, object]:
    """The progress of a job, as its agent reported it last."""
    progress: StoredProgress = job.progress if job.progress else {}
    share, left, done = progress.get("share"), progress.get("left"), progress.get("points_done")
    # The context of plans/partials/progress.html; what the agent did not report is None.
    return {
        "text": f"round {progress['round']}, {progress.get('point', '')}" if progress.get("round") else "getting ready",
        "done": f"{plural(done, 'point')} done in this round" if done else None,
        "percent": None if share is None else round(100 * share),
        "left": None if left is None else f"about {say_duration(left)} left",
        "at": parse_datetime(progress["at"]) if "at" in progress else None,
        "cancel": job.cancel,
    }


def _measured(status: CampaignStatus) -> int:
    """The number of points with a run that the reader may see."""
    return sum(point.run_id is not None for point in status.points)


def can_compare(status: CampaignStatus) -> bool:
    """Whether one comparison can hold all runs of the campaign."""
    return 0 < status.runs <= MOST_CHOSEN


def _compare(status: CampaignStatus, tools: Sequence[str], *, curves: bool) -> dict[str, object] | None:
    """The comparison of all its runs, directly or through the tray; None for too many runs."""
    if not can_compare(status):
        return None
    name = status.campaign.plan_name if status.campaign else "campaign"
    of_campaign = urlencode({"campaign": status.id})
    href = f"{reverse('compare')}?{of_campaign}"
    response = f"{reverse('response')}?{of_campaign}" if curves else None
    of_tools = (
        [{"tool": tool, "href": f"{href}&{urlencode({'tool': tool})}"} for tool in tools] if len(tools) > 1 else []
    )
    # The comparison of all runs of the campaign; `label` names them in the tray. `tools`, if there are several, have a
    # comparison each, the one with the most figures first. `response` is the address of its response curves, None if it
    # measured no rising load.
    return {"href": href, "label": f"{name}, {plural(status.runs, 'run')}", "response": response, "tools": of_tools}


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


def _points(status: CampaignStatus, state: str) -> dict[str, object]:
    """The number of all points, with a link to all points on a page of one state."""
    number = len(status.points)
    text = _counted(number, "point" if number == 1 else "points")
    # The number of all points; `href` is None if the page shows them all.
    return {"text": text, "href": _address(status, "") if state else None}


def _tally(status: CampaignStatus, chosen: str) -> list[dict[str, object]]:
    """The number of points in each state that occurs, with a link to them."""
    shares = [100 * number / len(status.points) for number in status.tally.values()]
    # `start` and `share` are per cent of a bar.
    return [
        {
            "state": state,
            "text": _counted(number, state),
            "href": _address(status, state),
            "chosen": state == chosen,
            "start": round(sum(shares[:place]), 2),
            "share": round(shares[place], 2),
        }
        for place, (state, number) in enumerate(status.tally.items())
    ]


def _counted(number: int, word: str) -> str:
    return f"{say_number(number, 0)} {word}"


def _pages(status: CampaignStatus, state: str, matrix_page: MatrixPage) -> dict[str, object] | None:
    """Links to the rows before and after; None if the page has all rows."""
    if matrix_page.before is None and matrix_page.after is None:
        return None
    last = matrix_page.after or matrix_page.rows
    # Which rows are shown, with the addresses of the rows before and after.
    return {
        "text": f"rows {matrix_page.first + 1} to {last} of {matrix_page.rows}",
        "before": None if matrix_page.before is None else _address(status, state, matrix_page.before),
        "after": None if matrix_page.after is None else _address(status, state, matrix_page.after),
    }


def _title(status: CampaignStatus) -> dict[str, object]:
    campaign = status.campaign
    if campaign is None:
        return {"parts": ["Campaign"]}
    return {
        "parts": [campaign.plan_name, *told_apart({campaign.machine_id: campaign.machine.name}).values()],
        "time": campaign.started_at,
        "state": campaign.state,
    }


def _facts(campaign: Campaign) -> list[dict[str, object]]:
    settings: StoredSettings = campaign.settings
    rounds = settings["rounds"]
    bounds = [say_number(rounds, 0)] if rounds is not None else []
    if (seconds := settings["time_budget"]) is not None:
        bounds.append(f"until {say_duration(seconds)} are used up")
    if (precision := settings["precision"]) is not None:
        bounds.append(f"until the mean of every result is known within ± {100 * precision:g} %")
    listed = [
        ("rounds", ", ".join(bounds) or "no limit"),
        ("order", settings["order"] + (f", seed {settings['seed']}" if settings["order"] == "shuffled" else "")),
        ("cache", settings["cache"]),
        ("agent", f"benchagent {campaign.agent_version}"),
        ("visibility", campaign.visibility),
    ]
    return [fact(term, value) for term, value in listed]


def _end(campaign: Campaign) -> dict[str, object] | None:
    ended: StoredEnd | None = campaign.ended
    if ended is None:
        return None
    return {
        "text": f"It {ENDS[CampaignState(campaign.state)]}",
        "at": parse_datetime(ended["at"]),
        "reason": ended["reason"],
    }


MOST_RUNS = 50  # whose values a page reads; a table of more runs has the same warning
METRICS = ("throughput", "rate")  # higher is better in both


def warnings_of_order(status: CampaignStatus) -> list[str]:
    """The sentences about a campaign that is over; at most two queries. Raises MustWait."""
    ids: list[UUID] = [point.run_id for point in status.points if point.run_id is not None]
    if status.campaign is None or not status.campaign.is_over or not 1 < len(ids) <= MOST_RUNS:
        return []
    columns = ("campaign_id", "machine_id", "protocol", "round_count", "runstate__result_count")
    runs = list(in_short(Run.objects.filter(pk__in=ids).select_related("runstate").only(*columns)))
    before_results(runs)
    results: dict[str, list[Values]] = defaultdict(list)
    for result in measured(ids, {"metric": METRICS}):
        if result.values:
            results[str(result.run_id)].append(result.values)
    return [warning_sentence(warning) for warning in order_warnings(runs, results)]
