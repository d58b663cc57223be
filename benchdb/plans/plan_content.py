"""The content of a plan: what two campaigns of the same plan measure, whatever the machine is called."""

from __future__ import annotations

import hashlib
import json

from .models import Campaign
from .stored import StoredCampaignTarget, StoredCampaignWorkload, StoredSettings


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
