"""The menus of a live page, and the progress of runs whose statistics are being computed."""

from __future__ import annotations

from django.urls import reverse

from benchdb.compare.content import Content


def live_parts(content: Content, choices: dict[str, object]) -> dict[str, object]:
    """The parts of the live page of a content."""
    # What live pages show besides the content: menus and progress.
    return {"choices": choices, "progress": _progress(content)}


def _progress(content: Content) -> dict[str, object] | None:
    if not content.computing:
        return None
    # The number of runs whose statistics are not computed yet, and the address of the state of the first.
    return {"poll": reverse("api-1:get_state", args=[content.computing[0]]), "number": len(content.computing)}
