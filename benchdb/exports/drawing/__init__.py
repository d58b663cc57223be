"""Pictures of tables, surfaces, trends and response curves, and the files that are made from them.

Only workers import this package and the libraries for PNG and PDF.
"""

from __future__ import annotations

from .save import pdf, png, svg

__all__ = ["pdf", "png", "svg"]
