"""Where a run comes from: figures of others come without what an agent would have noted."""

from __future__ import annotations

from enum import StrEnum

from .models import Run


class Origin(StrEnum):
    """Measured by an agent, imported from raw output, or figures that an article printed."""

    MEASURED = "measured"
    IMPORTED = "imported"
    PUBLISHED = "published"


def origin(run: Run) -> Origin:
    """By what the server itself notes when it stores imports and articles."""
    if "publication" in run.extra:
        return Origin.PUBLISHED
    return Origin.IMPORTED if "import" in run.extra else Origin.MEASURED
