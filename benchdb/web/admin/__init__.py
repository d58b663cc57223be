"""Django's admin for administrators of the server; it writes only through the services of the apps."""

from __future__ import annotations

from . import audit_trail, machines, publications, quotas, runs, tokens, users

__all__ = ["audit_trail", "machines", "publications", "quotas", "runs", "tokens", "users"]
