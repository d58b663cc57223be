"""Chooses the services that run, by the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping

from benchdb.embedded.services.postgres import postgres_service
from benchdb.embedded.services.valkey import valkey_service
from benchdb.embedded.supervisor.process import Service

from .config import Paths


def embedded_services(
    paths: Paths, *, durable: bool = True, environment: Mapping[str, str] = os.environ
) -> list[Service]:
    """The embedded servers for which the environment has no URL. Raises ServiceError."""
    services = []
    if not environment.get("DATABASE_URL"):
        services.append(postgres_service(paths, durable=durable))
    if not environment.get("REDIS_URL"):
        services.append(valkey_service(paths))
    return services
