"""What can go wrong with a service, in words for the person at the terminal."""

from __future__ import annotations


class ServiceError(Exception):
    """A service cannot run. The message says what happened and what to do."""


class AlreadyRunning(ServiceError):
    """Another supervisor works on the same var directory."""
