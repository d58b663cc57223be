"""What every page's template is given."""

from __future__ import annotations

from django.http import HttpRequest

from benchdb import __version__


def version(request: HttpRequest) -> dict[str, str]:
    """BenchDB's version, at the foot of the page."""
    return {"benchdb_version": __version__}
