"""Which services run, given the environment."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from benchdb.embedded.config import Paths
from benchdb.embedded.postgres import postgres_service
from benchdb.embedded.process import Service
from benchdb.embedded.valkey import valkey_service

PROJECT = Path(__file__).resolve().parents[2]


def var_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """BENCHDB_VAR, or `var` in the project."""
    return Path(environment.get("BENCHDB_VAR") or PROJECT / "var").resolve()


def embedded_services(
    paths: Paths, *, durable: bool = True, environment: Mapping[str, str] = os.environ
) -> list[Service]:
    """The servers that no URL in the environment names. Raises ServiceError."""
    services = []
    if not environment.get("DATABASE_URL"):
        services.append(postgres_service(paths, durable=durable))
    if not environment.get("REDIS_URL"):
        services.append(valkey_service(paths))
    return services


def manage(*arguments: str) -> list[str]:
    """A `manage.py` command line."""
    return [sys.executable, str(PROJECT / "manage.py"), *arguments]
