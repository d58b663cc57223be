"""Pictures of tables, surfaces and trends, drawn by Matplotlib.

Only workers import this package, because importing Matplotlib takes half a second.
"""

from __future__ import annotations

from .save import draw

__all__ = ["draw"]
