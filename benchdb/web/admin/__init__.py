"""Django's admin for the people who keep a server: nothing here writes but through the services of the apps."""

from __future__ import annotations

from . import machines, publications, runs, tokens, users

__all__ = ["machines", "publications", "runs", "tokens", "users"]
