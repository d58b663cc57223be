"""The checks of `benchagent doctor`: what this machine has and lacks for measuring. One module per kind of check."""

from __future__ import annotations

from .finding import DiagnosisFinding, FindingState

__all__ = ["DiagnosisFinding", "FindingState"]
