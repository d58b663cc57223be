"""The table of both sides on the server, and its permalink."""

from __future__ import annotations

from collections.abc import Sequence

from benchagent.client import RequestRefused, Server
from benchagent.documents.labels import PLACE, SIDE
from benchagent.documents.results import merge
from benchagent.plan.model import Gate, Plan

from .measured_tests import SidePair

NOT_PUBLIC = 409


def shared(
    server: Server, plan: Plan, pairs: Sequence[SidePair], *, share_private: bool
) -> tuple[str | None, list[str]]:
    """The address of the permalink, or of the page if the runs are not public; None without a run on both sides.

    The second part are remarks for people. Waits until the server has computed the runs.
    """
    stored = [record for pair in pairs for record in pair.records if len(record.rounds)]
    if not all(any(len(record.rounds) for record in side) for side in zip(*(pair.records for pair in pairs))):
        return None, []
    for record in stored:
        server.wait_for(record.run_id)
    runs = [record.run_id for record in stored]
    margin = (plan.gate or Gate()).margin
    table = server.compare(
        *runs,
        rows=f"label:{SIDE}",
        split=",".join(_split(pairs)) or None,
        baseline=plan.sides[0].name,
        margin=str(margin),
        correction="holm",
    )
    try:
        return server.share(table, share_private=share_private), []
    except RequestRefused as error:
        if error.status != NOT_PUBLIC:
            raise
        return table.address, ["The runs are not public, so the link is for their owner; --share-private shares it."]


def _split(pairs: Sequence[SidePair]) -> list[str]:
    """Dimensions that keep unlike results apart: each would be chosen once otherwise, and leave the others out."""
    records = [record for pair in pairs for record in pair.records]
    results = [result for record in records for result in merge(list(record.rounds), whole=False)]
    sizes = [
        name
        for name in ("file_size", "record_size", "threads")
        if len({getattr(result, name) for result in results}) > 1
    ]
    tools = {record.point.workload.tool for record in records}
    return [f"label:{PLACE}"] * (len(pairs) > 1) + ["tool"] * (len(tools) > 1) + sizes
