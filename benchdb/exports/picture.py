"""The facts that a picture carries in its metadata."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class PictureFacts:
    """Title, what the picture shows and how it was measured, its address, and the program that drew it."""

    title: str
    about: str
    address: str
    maker: str


# A format's names for these facts. None removes a field that Matplotlib would fill in, such as the date.
Metadata = Callable[[PictureFacts], dict[str, str | None]]
