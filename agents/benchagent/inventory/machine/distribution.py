"""The distribution: os-release(5)."""

from __future__ import annotations

import shlex

from benchagent.inventory.facts import Facts, clean
from benchagent.inventory.source import Source


def distribution(source: Source) -> Facts:
    """`{id, version, name}`; a rolling distribution has no version."""
    text = source.text("/etc/os-release") or source.text("/usr/lib/os-release") or ""
    release = parse_os_release(text)
    return {
        "id": clean(release.get("ID")),
        "version": clean(release.get("VERSION_ID")),
        "name": clean(release.get("PRETTY_NAME") or release.get("NAME")),
    }


def parse_os_release(text: str) -> dict[str, str]:
    """Assignments with the shell's quoting. Lines that are invalid in the shell are skipped."""
    values: dict[str, str] = {}
    for line in text.splitlines():
        key, equals, quoted = line.strip().partition("=")
        if not equals or key.startswith("#"):
            continue
        try:
            values[key] = " ".join(shlex.split(quoted))
        except ValueError:
            continue
    return values
