"""BenchDB's agent: prepares a file system, measures it, and uploads what it measured."""

from __future__ import annotations

__version__ = "0.1.0"
