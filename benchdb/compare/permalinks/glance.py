"""The current state of a permalink, which is read before each cached answer: one short query."""

from __future__ import annotations

import json
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from benchdb.compare.models import DELETED, WITHDRAWN
from benchdb.compare.page_parts.withdrawn import Withdrawn
from benchdb.replica.reading import reading

_SELECT = f"SELECT created_at, {DELETED}, {WITHDRAWN} FROM compare_permalink WHERE revoked_at IS NULL AND id = %s"


class Glance(NamedTuple):
    """The parts of the entity tag of a permalink's page."""

    id: str
    created_at: datetime
    deleted: list[UUID]
    withdrawn: list[Withdrawn]


def glance_at(permalink_id: str) -> Glance | None:
    """The permalink at this address; None if there is none, or it was revoked. One query."""
    with reading().cursor() as cursor:
        cursor.execute(_SELECT, [permalink_id])
        row = cursor.fetchone()
    if row is None:
        return None
    created_at, deleted, withdrawn = row
    # Django returns jsonb of raw queries as text.
    return Glance(permalink_id, created_at, deleted, json.loads(withdrawn))
