"""The files of the documentation and the addresses of their pages.

A page has the name of its file without `.md`: `tutorial`, `howto/backup`. The index has the empty name.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import MappingProxyType

from django.conf import settings
from django.urls import reverse

FOLDER = Path(settings.BASE_DIR) / "docs"
PICTURES = "pictures"  # the folder whose files are static files below `docs/`
INDEX = "README"


@cache
def files() -> MappingProxyType[str, Path]:
    """The files by the names of their pages."""
    found = {path.relative_to(FOLDER).with_suffix("").as_posix(): path for path in sorted(FOLDER.rglob("*.md"))}
    return MappingProxyType({"" if name == INDEX else name: path for name, path in found.items()})


def address(name: str, anchor: str = "") -> str:
    """The address of a page, or of one of its headings."""
    page = reverse("docs-page", args=[name]) if name else reverse("docs")
    return f"{page}#{anchor}" if anchor else page
