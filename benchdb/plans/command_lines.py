"""Names in the command lines on pages: the agent's file, and the placeholder for the reader's token."""

from __future__ import annotations

AGENT = "benchagent.pyz"
PLACEHOLDER = "YOUR-TOKEN"
