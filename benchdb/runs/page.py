"""What the run page shows."""

from __future__ import annotations

from typing import Any

from .models import Run


def run_context(run: Run) -> dict[str, Any]:
    """The context of `runs/run.html`."""
    return {"run": run}
