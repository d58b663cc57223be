"""The current state of a permalink with an answer that is kept of it: one short query before each answer."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from benchdb.compare.models import WITHDRAWN
from benchdb.compare.page_parts.withdrawn import Withdrawn
from benchdb.replica.reading import reading

_SELECT = f"""
    SELECT created_at, NULLIF({WITHDRAWN}, '[]'), kept.tag, CASE WHEN strpos(%s, kept.tag) = 0 THEN kept.data END
    FROM compare_permalink
    LEFT JOIN compare_keptanswer kept ON kept.permalink_id = compare_permalink.id AND kept.name = %s
    WHERE compare_permalink.id = %s AND revoked_at IS NULL
    AND NOT EXISTS (SELECT FROM runs_tombstone t WHERE t.run_id = ANY(compare_permalink.runs))"""


class Glance(NamedTuple):
    """The parts of the entity tag of a permalink's answers, and the answer that is kept, gzipped, with its tag.

    `kept` is None also if the reader has the answer with this tag.
    """

    id: str
    created_at: datetime
    withdrawn: list[Withdrawn]
    kept_tag: str | None
    kept: bytes | None
    deleted: tuple[()] = ()


def glance_at(permalink_id: str, name: str, tags: str = "") -> Glance | None:
    """The permalink at this address with its answer `name`, or None; one query.

    `tags` are those of the answers that the reader has (If-None-Match), which are not read.
    None also if it was revoked or one of its runs was deleted: nothing is kept of these, so each request renders them.
    """
    with reading().prepared_cursor() as cursor:
        cursor.execute(_SELECT, [tags, name, permalink_id])
        row = cursor.fetchone()
    if row is None:
        return None
    created_at, withdrawn, kept_tag, kept = row
    return Glance(permalink_id, created_at, withdrawn or [], kept_tag, kept)
