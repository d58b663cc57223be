"""What was shared with a run's figures, for the run's own page."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from .models import Permalink

Named = dict[str, str]
MOST = 5


def own_permalinks(run_id: UUID, reader: Any) -> list[Named]:
    """The newest permalinks with this run that `reader` made, `[{text, href}]`; one query, none for the logged out.

    Those of others have addresses that are for whom they were given.
    """
    if not reader.is_authenticated:
        return []
    found = Permalink.objects.filter(runs__contains=[run_id], owner=reader, revoked_at=None)
    newest = found.order_by("-created_at").values_list("id", "kind")[:MOST]
    return [{"text": f"{kind} {each}", "href": Permalink(id=each).get_absolute_url()} for each, kind in newest]
