"""What command lines that pages show call the agent's file, and the token that the reader puts in."""

from __future__ import annotations

AGENT = "benchagent.pyz"
PLACEHOLDER = "YOUR-TOKEN"
