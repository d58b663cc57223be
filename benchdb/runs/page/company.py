"""The runs that a run can be compared with: those of its campaign, or an earlier or later run of its workload."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse

from benchdb.http.requests import Reader
from benchdb.runs.models import Run, Source, in_hidden_campaign, source_of

SEARCHED = 1000  # newest runs of the tool on the machine


@dataclass(frozen=True, slots=True)
class Company:
    """Addresses of comparisons: with the campaign, else with another run of the workload on the machine, or None.

    `alone`: an agent measured the run, and there is neither.
    """

    campaign: str | None
    other: str | None
    alone: bool


def company_of(run: Run, reader: Reader) -> Company:
    """What `reader` can compare a run with. At most two queries."""
    if run.campaign_id is None:
        return Company(None, None, alone=False)
    others = Run.objects.listed_for(reader).filter(tool=run.tool, runstate__owner=run.runstate.owner_id)
    if others.of_campaign(run.campaign_id).exclude(pk=run.pk).exclude(in_hidden_campaign(reader)).exists():
        of_campaign = urlencode({"campaign": run.campaign_id, "tool": run.tool})
        return Company(f"{reverse('compare')}?{of_campaign}", None, alone=False)
    if source_of(run) is not Source.MEASURED:
        return Company(None, None, alone=False)
    other = _newest_alike(run, reader)
    if other is None:
        return Company(None, None, alone=True)
    earlier, later = sorted([run.id, other])  # a UUIDv7 begins with the time
    return Company(None, f"{reverse('compare')}?{urlencode([('run', earlier), ('run', later)])}", alone=False)


def _newest_alike(run: Run, reader: Reader) -> UUID | None:
    """The newest other run of this workload on the machine, a different target first."""
    newest = Run.objects.listed_for(reader).filter(tool=run.tool, machine=run.machine_id).exclude(pk=run.pk)
    alike = Run.objects.filter(pk__in=newest.order_by("-id").values("pk")[:SEARCHED], parameters=run.parameters)
    rows = list(alike.order_by("-id").values_list("id", "target_id"))
    return next((run_id for run_id, target in rows if target != run.target_id), rows[0][0] if rows else None)
