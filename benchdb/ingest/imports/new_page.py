"""The page on which people paste text and choose files."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User

from benchdb.wording.sizes import say_size

from .chosen import TOOLS, ReadingForm
from .page import own_imports
from .services import KEPT_FOR
from .unpack import MOST_BYTES, MOST_FILES

MOST_SHOWN = 40


def new_import(
    owner: User | None,
    text: str = "",
    faults: Sequence[str] = (),
    form: ReadingForm | None = None,
) -> dict[str, object]:
    """The page; `owner` is None for a visitor who is not signed in, and `form` has the choices that were sent."""
    form = form or ReadingForm({})
    # The context of ingest/new.html; an import is kept for `days`, and `most_size` tells `most_bytes` in words.
    return {
        "signed_in": owner is not None,
        "faults": faults,
        "text": text,
        "most_files": MOST_FILES,
        "most_bytes": MOST_BYTES,
        "most_size": say_size(MOST_BYTES),
        "days": KEPT_FOR.days,
        "tools": TOOLS,
        "drafts": own_imports(owner, MOST_SHOWN) if owner else [],
        "tool_options": form.options("tool"),
        "unit_options": form.options("unit"),
        "section": "import",
    }
