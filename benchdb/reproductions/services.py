"""Finds campaigns that repeat a plan on another machine, and stores the answers. A worker calls this."""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence

from django.db.models import Exists, OuterRef, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from benchdb.compare.table.evaluate import MOST_RESULTS
from benchdb.plans.models import Campaign, CampaignState
from benchdb.plans.stored import StoredCampaignTarget, StoredCampaignWorkload, StoredPoint, StoredSettings
from benchdb.runs.models import Run, Visibility, in_short
from benchdb.stats import STATISTICS_VERSION
from benchdb.stats.comparing.reproduction import ReproductionAnswer, overall

from .content import StoredConclusion, StoredReproduction, packed
from .evaluate import RepeatedPoint, evaluate
from .models import Reproduction

MOST_OTHERS = 12  # on each side: campaigns that a campaign repeats, and that repeat it
SEARCHED = 200  # campaigns of the same plan, the nearest in time
MOST_POINTS = 200  # of a plan; further points are left out


def judge_campaign(campaign: Campaign, until: float) -> bool:
    """Compare a finished campaign with those of the same plan on other machines. Returns whether all pairs are judged.

    A campaign repeats the one next before it on each other machine: a plan that runs every night has few pairs. Ends
    after the pair that it is at when `time.monotonic()` is `until`; the next call goes on with pairs without an answer.
    """
    if campaign.content_digest is None:
        campaign.content_digest = content_digest(campaign)
        campaign.save(update_fields=["content_digest"])
    others, visible = _on_other_machines(campaign), Visibility(campaign.visibility).within()
    pairs = [*_pairs(campaign, others.filter(visibility__in=visible))]
    pairs += _pairs(campaign, others.exclude(visibility__in=visible))  # which only the owner sees
    stored = Reproduction.objects.filter(Q(original=campaign) | Q(repetition=campaign))
    judged = {*stored.values_list("original", "repetition")}
    for number, pair in enumerate(pair for pair in pairs if (pair[0].pk, pair[1].pk) not in judged):
        if number and time.monotonic() > until:
            return False
        judge_pair(*pair)
    Campaign.objects.filter(pk=campaign.pk).update(judged_at=timezone.now())
    return True


def _pairs(campaign: Campaign, others: QuerySet[Campaign]) -> Iterator[tuple[Campaign, Campaign]]:
    """The originals and repetitions that the campaign makes with these."""
    for other in _one_for_each_machine(others.filter(started_at__lt=campaign.started_at), "-started_at"):
        yield other, campaign
    later = others.filter(started_at__gt=campaign.started_at)
    if (following := _following(campaign)) is not None:
        later = later.filter(started_at__lte=following.started_at)
    for other in _one_for_each_machine(later, "started_at"):
        yield campaign, other


def _following(campaign: Campaign) -> Campaign | None:
    """The next campaign of the same plan on the same machine, of those that are as visible: others are not revealed."""
    same = Campaign.objects.filter(
        owner=campaign.owner_id,
        machine=campaign.machine_id,
        content_digest=campaign.content_digest,
        visibility__in=Visibility(campaign.visibility).within(),
    )
    later = same.filter(started_at__gt=campaign.started_at).exclude(state=CampaignState.RUNNING)
    return later.order_by("started_at").first()


def _on_other_machines(campaign: Campaign) -> QuerySet[Campaign]:
    """Campaigns of the same plan that a reader may see together with this one, without those on its machine."""
    shared = Q(owner=campaign.owner_id)
    if campaign.visibility == Visibility.PUBLIC:
        shared |= Q(visibility=Visibility.PUBLIC)
    same = Campaign.objects.filter(shared, content_digest=campaign.content_digest)
    runs = Run.objects.filter(campaign_id=OuterRef("pk"), runstate__owner=OuterRef("owner"))
    return (
        same.filter(Exists(runs.filter(runstate__withdrawn_at=None)))
        .exclude(state=CampaignState.RUNNING)
        .exclude(machine__machine_id=campaign.machine.machine_id)
        .select_related("machine")
    )


def _one_for_each_machine(campaigns: QuerySet[Campaign], nearest: str) -> list[Campaign]:
    """The nearest campaign on each machine. Accounts take turns, so that nobody takes the places of others."""
    turn = Window(RowNumber(), partition_by="owner", order_by=[nearest, "pk"])
    campaigns = campaigns.annotate(turn=turn).order_by("turn", nearest, "pk")
    first: dict[tuple[int, str], Campaign] = {}
    for campaign in campaigns[:SEARCHED]:
        first.setdefault((campaign.owner_id, campaign.machine.machine_id), campaign)
    return list(first.values())[:MOST_OTHERS]


def judge_pair(original: Campaign, repetition: Campaign) -> None:
    """Compare two campaigns of one plan and store the answer; nothing is computed if their runs are as before.

    A pair with more results than a table may have is stored without an answer, by the counts and without reading them.
    """
    points = _repeated_points(original, repetition)
    basis = _basis(points)
    stored = Reproduction.objects.filter(original=original, repetition=repetition)
    if stored.filter(basis=basis).update(checked_at=timezone.now()):
        return
    if not points:
        stored.delete()
        return
    targets: list[StoredCampaignTarget] = original.targets
    results = sum(run.runstate.result_count for point in points for run in (point.original, point.repetition))
    content = evaluate(points if results <= MOST_RESULTS else [], [target["name"] for target in targets])
    answers = Counter(_answers(content["conclusions"]))
    Reproduction.objects.update_or_create(
        original=original,
        repetition=repetition,
        defaults={
            "answer": _overall(content),
            "reproduced": answers[ReproductionAnswer.REPRODUCED],
            "not_reproduced": answers[ReproductionAnswer.NOT_REPRODUCED],
            "undecided": answers[ReproductionAnswer.UNDECIDED],
            "packed": packed(content),
            "runs": [run.pk for point in points for run in (point.original, point.repetition)],
            "basis": basis,
            "checked_at": timezone.now(),
        },
    )


def _answers(conclusions: Sequence[StoredConclusion]) -> list[ReproductionAnswer]:
    return [ReproductionAnswer(conclusion["answer"]) for conclusion in conclusions]


def _overall(content: StoredReproduction) -> ReproductionAnswer:
    """The answer of the conclusions; without any, that of the figures of like hardware."""
    if content["conclusions"]:
        return overall(_answers(content["conclusions"]))
    return overall(ReproductionAnswer(figure["answer"]) for figure in content["figures"])


def _repeated_points(original: Campaign, repetition: Campaign) -> list[RepeatedPoint]:
    """The points that both campaigns measured with the same tool, parameters and cache regime, in the plan's order."""
    points: list[StoredPoint] = original.points[:MOST_POINTS]
    first, second = (_newest_runs(campaign, [point["id"] for point in points]) for campaign in (original, repetition))
    repeated = []
    for point in points:
        before, after = first.get(point["id"]), second.get(point["id"])
        if before is not None and after is not None and _work(before) == _work(after):
            repeated.append(RepeatedPoint(point["target"], point["workload"], before, after))
    return repeated


def _work(run: Run) -> tuple[object, ...]:
    return run.tool, run.parameters, run.cache_regime


def _newest_runs(campaign: Campaign, points: Sequence[str]) -> dict[str, Run]:
    """The newest run of each point, of those that are as visible as the campaign and not withdrawn; one query."""
    visible = Visibility(campaign.visibility).within()
    runs = Run.objects.filter(campaign_id=campaign.pk, campaign_point__in=points, runstate__owner=campaign.owner_id)
    runs = runs.filter(runstate__visibility__in=visible, runstate__withdrawn_at=None)
    newest = in_short(runs.with_context()).order_by("campaign_point", "-id").distinct("campaign_point")
    return {run.campaign_point or "": run for run in newest}


def _basis(points: Sequence[RepeatedPoint]) -> bytes:
    """A digest that changes with the compared runs, their current parses and the statistics."""
    runs = [run for point in points for run in (point.original, point.repetition)]
    states = [(str(run.pk), run.runstate.current_parse, run.runstate.statistics_version) for run in runs]
    return hashlib.sha256(json.dumps([STATISTICS_VERSION, states]).encode()).digest()


def content_digest(campaign: Campaign) -> bytes:
    """SHA-256 of the targets, workloads, cache regime and memory limit of a campaign's plan.

    The digest is not that of the plan's text: comments, paths, and the number and order of rounds do not matter.
    """
    settings: StoredSettings = campaign.settings
    targets: list[StoredCampaignTarget] = campaign.targets
    workloads: list[StoredCampaignWorkload] = campaign.workloads
    content = [
        [[target["name"], target["kind"], target["summary"]] for target in targets],
        sorted([workload["name"], workload["tool"], workload["summary"]] for workload in workloads),
        [settings["cache"], settings.get("memory")],
    ]
    return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")).digest()
