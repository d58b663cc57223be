"""Counts the use of accounts again, in case it is wrong: after a restore by hand, or beside an older release."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Count, Sum

from benchdb.catalog.models import Machine
from benchdb.compare.models import Permalink
from benchdb.plans.models import Campaign, Job
from benchdb.quotas.limits import Amount
from benchdb.quotas.models import Usage
from benchdb.quotas.services import used_by
from benchdb.runs.models import RunState

# Of one account; reads every result, so it may take minutes for millions of them.
_COUNT_RUNS = """
UPDATE runs_runstate AS state SET value_count = counted.value_count
FROM (
    SELECT stored.run_id,
        COALESCE((
            SELECT sum(COALESCE(cardinality(result.values), 0) + COALESCE(cardinality(result.singles), 0))
            FROM runs_result AS result WHERE result.run_id = stored.run_id AND result.parse = 1), 0) AS value_count
    FROM runs_runstate AS stored WHERE stored.owner_id = %s) AS counted
WHERE counted.run_id = state.run_id AND counted.value_count <> state.value_count
"""


@dataclass(frozen=True, slots=True)
class Recounted:
    """The use of an account before and after it was counted again."""

    name: str
    before: Amount
    after: Amount


def recount(*, values: bool = False) -> Iterator[Recounted]:
    """Count the use of every account again, one after the other; `values` also counts the values of every run.

    The bytes of documents are stored with runs, campaigns, queued plans and permalinks, and nothing could count them
    again.

    Uploads and deletions of an account wait for the count only, and none is counted twice or forgotten: they change the
    row of the account last, and this locks it before it reads the rows.
    """
    for owner in User.objects.only("id", "username").order_by("pk").iterator():
        if values:
            with connection.cursor() as cursor:
                cursor.execute(_COUNT_RUNS, [owner.pk])
        with transaction.atomic():
            Usage.objects.get_or_create(owner=owner)
            Usage.objects.select_for_update().get(owner=owner)
            before, after = used_by(owner.pk), _counted(owner)
            Usage.objects.filter(owner=owner).update(**asdict(after))
        yield Recounted(owner.get_username(), before, after)


def _counted(owner: User) -> Amount:
    """What the account has stored, from the rows themselves."""
    number, size = Count("pk"), Sum("document_bytes", default=0)
    runs = RunState.objects.filter(owner=owner).aggregate(n=number, size=size, values=Sum("value_count", default=0))
    campaigns = Campaign.objects.filter(owner=owner).aggregate(n=number, size=size)
    permalinks = Permalink.objects.filter(owner=owner).aggregate(size=size)
    plans = Job.objects.filter(owner=owner).aggregate(n=number, size=size)
    return Amount(
        runs=runs["n"],
        value_count=int(runs["values"]),
        document_bytes=int(runs["size"] + campaigns["size"] + plans["size"] + permalinks["size"]),
        campaigns=campaigns["n"],
        plans=plans["n"],
        machines=Machine.objects.filter(owner=owner).count(),
    )
