"""What the page of a campaign shows."""

from __future__ import annotations
