"""The derived content of surfaces."""

from __future__ import annotations

import json
from typing import Any

from django.contrib.auth.models import User

from benchdb.compare.surface.content import derived
from benchdb.compare.surface.evaluate import evaluate_surface
from benchdb.compare.surface.selection import SurfaceSelection
from tests.support.comparing.comparisons import surface_run
from tests.support.store import make_user


def content_of(owner: User, **fields: str) -> dict[str, Any]:
    """The content of a surface as stored in the database, through JSON."""
    selection = SurfaceSelection((surface_run(owner).id,), **fields)
    content: dict[str, Any] = json.loads(json.dumps(evaluate_surface(selection, make_user("reader"))[0]))
    return content


def test_what_follows_from_the_cells_is_found_again(owner: User) -> None:
    content = content_of(owner)

    assert derived(content) == content
    content["surfaces"][0]["cells"][2][1] = None
    (surface,) = derived(content)["surfaces"]
    assert surface["averages"][0]["cells"] == content["surfaces"][0]["averages"][0]["cells"] - 1
