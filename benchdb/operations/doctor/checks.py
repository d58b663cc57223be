"""All checks, in the order of the report."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from . import services, settings
from .broker_users import broker_users
from .finding import DoctorFinding
from .replica import replica

CHECKS: tuple[Callable[[], Iterator[DoctorFinding]], ...] = (
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
    broker_users,
)


def run_checks() -> Iterator[DoctorFinding]:
    """The findings of all checks."""
    for check in CHECKS:
        yield from check()
