"""Store the campaigns that agents announce, and their ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction

from benchdb.runs.machine_names import keep_machine
from benchdb.runs.models import Run, Visibility

from .models import Campaign, CampaignState


class CampaignConflict(Exception):
    """Another document has this id, or runs of another owner do."""


def keep_campaign(
    owner: User, campaign_id: UUID, document: Mapping[str, Any], digest: bytes, visibility: Visibility
) -> tuple[Campaign, bool]:
    """Store a checked document of `benchdb.campaign/1`, or add the end to a stored one.

    Idempotent, in any order: a repeated announcement does not undo the end. `visibility` is for a document that
    names none. Returns the campaign and whether it is new. Raises CampaignConflict.
    """
    with transaction.atomic():
        campaign, new = Campaign.objects.select_for_update().get_or_create(
            id=campaign_id, defaults=_columns(owner, document, digest, visibility)
        )
        if campaign.owner_id != owner.pk or bytes(campaign.digest) != digest or (new and _taken(owner, campaign_id)):
            raise CampaignConflict
        _end(campaign, document["ended"])
    return campaign, new


def _columns(owner: User, document: Mapping[str, Any], digest: bytes, visibility: Visibility) -> dict[str, Any]:
    plan, machine = document["plan"], document["machine"]
    chosen = Visibility(document["visibility"] or visibility)
    return {
        "owner": owner,
        "visibility": chosen,
        "digest": digest,
        "machine": keep_machine(owner, machine["machine_id"], machine["name"], chosen),
        "agent_version": document["agent"]["version"],
        "plan_name": plan["name"],
        "plan_text": plan["text"],
        "plan_sha256": plan["sha256"],
        "settings": document["settings"],
        "targets": document["targets"],
        "workloads": document["workloads"],
        "points": document["points"],
        "point_count": len(document["points"]),
        "started_at": document["started_at"],
    }


def _taken(owner: User, campaign_id: UUID) -> bool:
    """Whether the campaign has another owner, the owner of its first run."""
    first = Run.objects.filter(campaign_id=campaign_id).order_by("received_at", "id").select_related("runstate").first()
    return first is not None and first.runstate.owner_id != owner.pk


def _end(campaign: Campaign, ended: Mapping[str, Any] | None) -> None:
    if ended is None or campaign.ended == ended:
        return
    if campaign.ended is not None:
        raise CampaignConflict
    campaign.ended, campaign.state = dict(ended), CampaignState(ended["state"])
    campaign.save(update_fields=["ended", "state"])
