"""Errors of services, with messages for the person at the terminal."""

from __future__ import annotations


class ServiceError(Exception):
    """A service cannot run; the message has the cause and the remedy."""


class AlreadyRunning(ServiceError):
    """Another supervisor works on the same var directory."""
