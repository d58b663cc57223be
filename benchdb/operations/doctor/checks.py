"""All checks, in the order in which people would ask."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from . import services, settings
from .finding import Finding
from .replica import replica

CHECKS: tuple[Callable[[], Iterator[Finding]], ...] = (
    settings.variables,
    settings.hosts,
    settings.tls,
    settings.proxies,
    settings.secret_key,
    settings.disk,
    settings.static,
    services.database,
    replica,
    services.broker,
)


def look() -> Iterator[Finding]:
    """What each of them found."""
    for check in CHECKS:
        yield from check()
