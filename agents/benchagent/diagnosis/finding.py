"""The result of one check: a prerequisite of measuring that is present or missing."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from benchagent.filesystems import made

# Debian's packages that have another name in Fedora; None: not in Fedora.
FEDORA: Mapping[str, str | None] = {
    "iozone3": None,
    "libc6-dev": "glibc-devel",
    "mount": "util-linux-core",
    **{each.package: each.fedora for each in made() if each.fedora != ""},
}


class FindingState(enum.Enum):
    """`OPTIONAL`: missing, but few plans want it."""

    OK = "ok"
    MISSING = "missing"
    OPTIONAL = "optional"


@dataclass(frozen=True)
class DiagnosisFinding:
    """A prerequisite.

    `detail` is its location or a remedy; `packages` are the packages that provide it, by distribution.
    """

    what: str
    purpose: str
    state: FindingState
    detail: str
    packages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def remedy(self) -> str:
        """The remedy with the packages, those of Fedora only if they differ."""
        parts = [self.detail] if self.detail else []
        debian, fedora = self.packages.get("debian", ()), self.packages.get("fedora", ())
        if debian and debian == fedora:
            parts.append(f"Debian and Fedora: {', '.join(debian)}")
        elif debian:
            parts.append(f"Debian: {', '.join(debian)}; Fedora: {', '.join(fedora) or 'build it from its source'}")
        return "; ".join(parts)


def present(what: str, purpose: str, where: str) -> DiagnosisFinding:
    """A prerequisite that is present."""
    return DiagnosisFinding(what, purpose, FindingState.OK, where)


def lacking(what: str, purpose: str, detail: str = "", *debian: str, optional: bool = False) -> DiagnosisFinding:
    """A missing prerequisite; `debian` are the packages that provide it."""
    names = {name: FEDORA.get(name, name) for name in debian}
    fedora = tuple(name for name in names.values() if name)
    packages = {"debian": debian, "fedora": fedora} if debian else {}
    return DiagnosisFinding(
        what, purpose, FindingState.OPTIONAL if optional else FindingState.MISSING, detail, packages
    )
