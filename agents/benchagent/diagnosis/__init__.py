"""What this machine has and lacks for measuring: what `benchagent doctor` prints. One module a kind of thing."""

from __future__ import annotations

from .finding import DiagnosisFinding, FindingState

__all__ = ["DiagnosisFinding", "FindingState"]
