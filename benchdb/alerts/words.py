"""Alerts in words, for pages, mails and feeds."""

from __future__ import annotations

from collections.abc import Sequence

from .models import Alert, StoredCause


def headline(alert: Alert) -> str:
    """`ext4 on epyc-2: worse, confirmed`. One line, whatever the name of the watch contains."""
    name = " ".join(alert.watch.name.split())
    return f"{name}: {alert.kind}, {alert.get_state_display().lower()}"


def say_causes(alert: Alert) -> list[str]:
    """`mount options relatime → sync, relatime (restored)`, a line each."""
    causes: Sequence[StoredCause] = alert.causes
    return [_say(cause) for cause in causes]


def _say(cause: StoredCause) -> str:
    restored = "restored" if cause["restored"] else "not restorable"
    return f"{cause['label']} {cause['before']} → {cause['after']} ({restored})"
