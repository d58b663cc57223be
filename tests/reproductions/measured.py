"""Campaigns of one plan on several machines, with runs of known means."""

from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import User

from benchdb.plans.models import Campaign
from tests.support.campaigns import campaign_document, ended, of_point, store_campaign
from tests.support.comparing.comparisons import values
from tests.support.documents import GIB, MIB, STARTED, document, environment, result
from tests.support.store import store_run

SHOWN = {"ext4": 100.0, "xfs": 120.0, "btrfs": 101.0}  # xfs is better, btrfs equivalent


def store_measured(
    owner: User,
    name: str,
    means: Mapping[str, float] | None = None,
    *,
    visibility: str = "public",
    memory: int = 8 * GIB,
    **sections: Any,
) -> Campaign:
    """A finished campaign on the machine `name` with a run for each of these means in MiB/s."""
    machine = {"name": name, "machine_id": sha256(name.encode()).hexdigest()}
    started = STARTED + timedelta(hours=Campaign.objects.count())
    announced = {"machine": machine, "started_at": started.isoformat(), **sections}
    sent = campaign_document([*SHOWN], ["iozone"]) | announced
    campaign = store_campaign(owner, ended(sent), visibility)
    surroundings = environment() | {"memory": {"total": memory, "usable": memory, "swap": 0}}
    for file_system, mean in (SHOWN if means is None else means).items():
        results = [result(values(mean * MIB), file_size=GIB, record_size=MIB)]
        point = of_point(campaign.pk, f"{file_system}/iozone")
        shared = {"machine": machine, "environment": surroundings, "campaign": point, "visibility": visibility}
        store_run(owner, document(file_system=file_system, rounds=6, results=results, **shared))
    return campaign
