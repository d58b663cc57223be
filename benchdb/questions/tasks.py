"""Lets workers make an answer that a request left to them: Celery imports this module of each app."""

from .explained import explain_again

__all__ = ["explain_again"]
