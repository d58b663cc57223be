"""The derived content of surfaces."""

from dataclasses import replace

from django.contrib.auth.models import User

from benchdb.compare.surface.content import derived
from benchdb.compare.surface.evaluate import evaluate_surface
from benchdb.compare.surface.selection import SurfaceSelection
from tests.support.comparing.comparisons import surface_run
from tests.support.store import make_user


def test_what_follows_from_the_cells_is_found_again(owner: User) -> None:
    content, _ = evaluate_surface(SurfaceSelection((surface_run(owner).id,)), make_user("reader"))

    assert derived(content) == content
    (before,) = content.surfaces
    cells = [[None if (i, j) == (2, 1) else cell for j, cell in enumerate(row)] for i, row in enumerate(before.cells)]
    (surface,) = derived(replace(content, surfaces=[replace(before, cells=cells)])).surfaces
    assert surface.averages[0].cells == before.averages[0].cells - 1
