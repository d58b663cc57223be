"""Pictures of tables and surfaces, by Matplotlib. Imported by workers only: Matplotlib takes half a second."""

from __future__ import annotations

from .save import draw

__all__ = ["draw"]
