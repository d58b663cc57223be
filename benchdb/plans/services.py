"""Store the campaigns that agents announce, and their ends."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction

from benchdb.catalog.models import Machine
from benchdb.quotas import services as quotas
from benchdb.quotas.limits import Amount
from benchdb.runs.machine_names import keep_machine
from benchdb.runs.models import Run, Visibility

from .models import Campaign, CampaignState
from .stored import Announcement, StoredEnd


class CampaignConflict(Exception):
    """Another document has this id, or runs of another owner do."""


def keep_campaign(
    owner: User, campaign_id: UUID, announced: Announcement, visibility: Visibility
) -> tuple[Campaign, bool]:
    """Store a checked document, or add the end to a stored one.

    Idempotent, in any order: a repeated announcement does not undo the end. `visibility` is for a document that
    names none. Returns the campaign and whether it is new. Raises CampaignConflict and QuotaExceeded.
    """
    chosen = Visibility(announced.visibility or visibility)
    with transaction.atomic():
        machine, machine_is_new = keep_machine(owner, announced.machine_id, announced.machine_name, chosen)
        campaign, new = Campaign.objects.select_for_update().get_or_create(
            id=campaign_id, defaults=_columns(owner, announced, machine, chosen)
        )
        same = campaign.owner_id == owner.pk and bytes(campaign.digest) == announced.digest
        if not same or (new and _taken(owner, campaign_id)):
            raise CampaignConflict
        _end(campaign, announced.ended)
        if new:
            amount = Amount(campaigns=1, document_bytes=announced.document_bytes, machines=int(machine_is_new))
            quotas.charge(owner, amount)
    return campaign, new


def _columns(owner: User, announced: Announcement, machine: Machine, visibility: Visibility) -> dict[str, object]:
    return {
        "owner": owner,
        "visibility": visibility,
        "digest": announced.digest,
        "document_bytes": announced.document_bytes,
        "machine": machine,
        "agent_version": announced.agent_version,
        "plan_name": announced.plan_name,
        "plan_text": announced.plan_text,
        "plan_sha256": announced.plan_sha256,
        "settings": announced.settings,
        "targets": announced.targets,
        "workloads": announced.workloads,
        "points": announced.points,
        "point_count": len(announced.points),
        "started_at": announced.started_at,
    }


def _taken(owner: User, campaign_id: UUID) -> bool:
    """Whether the campaign has another owner, the owner of its first run."""
    first = Run.objects.filter(campaign_id=campaign_id).order_by("received_at", "id").select_related("runstate").first()
    return first is not None and first.runstate.owner_id != owner.pk


def _end(campaign: Campaign, ended: StoredEnd | None) -> None:
    if ended is None or campaign.ended == ended:
        return
    if campaign.ended is not None:
        raise CampaignConflict
    campaign.ended, campaign.state = ended, CampaignState(ended["state"])
    campaign.save(update_fields=["ended", "state"])
