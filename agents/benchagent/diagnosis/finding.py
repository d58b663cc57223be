"""One thing that measuring wants of a machine, there or not."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

# Names of Debian's packages that Fedora has under another one; None: Fedora does not have it.
FEDORA: Mapping[str, str | None] = {
    "hfsprogs": "hfsplus-tools",
    "iozone3": None,
    "libc6-dev": "glibc-devel",
    "mount": "util-linux-core",
    "nilfs-tools": "nilfs-utils",
    "reiserfsprogs": None,
}


class FindingState(enum.Enum):
    """`OPTIONAL`: missing, but few plans want it."""

    OK = "ok"
    MISSING = "missing"
    OPTIONAL = "optional"


@dataclass(frozen=True)
class DiagnosisFinding:
    """`says` is where it is, or what to do about it; `packages` bring it, by the distribution's name."""

    what: str
    purpose: str
    state: FindingState
    says: str
    packages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def remedy(self) -> str:
        """What to do, with the packages; Fedora's are named where they differ."""
        parts = [self.says] if self.says else []
        debian, fedora = self.packages.get("debian", ()), self.packages.get("fedora", ())
        if debian and debian == fedora:
            parts.append(f"Debian and Fedora: {', '.join(debian)}")
        elif debian:
            parts.append(f"Debian: {', '.join(debian)}; Fedora: {', '.join(fedora) or 'build it from its source'}")
        return "; ".join(parts)


def present(what: str, purpose: str, where: str) -> DiagnosisFinding:
    """It is there."""
    return DiagnosisFinding(what, purpose, FindingState.OK, where)


def lacking(what: str, purpose: str, says: str = "", *debian: str, optional: bool = False) -> DiagnosisFinding:
    """It is not there; `debian` are the packages that bring it."""
    names = {name: FEDORA.get(name, name) for name in debian}
    fedora = tuple(name for name in names.values() if name)
    packages = {"debian": debian, "fedora": fedora} if debian else {}
    return DiagnosisFinding(what, purpose, FindingState.OPTIONAL if optional else FindingState.MISSING, says, packages)
