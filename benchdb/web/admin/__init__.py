"""Django's admin for administrators of the server; it writes only through the services of the apps."""

from __future__ import annotations

from . import machines, publications, quotas, runs, tokens, users

__all__ = ["machines", "publications", "quotas", "runs", "tokens", "users"]
