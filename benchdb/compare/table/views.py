"""The answer with the panels of one row of a table."""

from __future__ import annotations

from collections.abc import Collection

import orjson
from django.http import Http404, HttpResponse

from .cell_views.chosen_cell import NOT_SAMPLED
from .cell_views.row_panels import row_panels
from .cell_views.surface_links import Surfaces
from .content import TableContent
from .grid import grid_of


def panels_response(
    table: TableContent, row: str, surfaces: Surfaces, sampled: Collection[str] = NOT_SAMPLED
) -> HttpResponse:
    """The panels of a row as JSON. Raises Http404 if the table has no such row."""
    panels = row_panels(grid_of(table), row, surfaces, sampled)
    if panels is None:
        raise Http404
    return HttpResponse(orjson.dumps(panels), content_type="application/json")
