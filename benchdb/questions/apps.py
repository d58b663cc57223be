"""Tells workers how to make an answer that a request left to them: `exports` cannot import this package."""

from __future__ import annotations

from django.apps import AppConfig


class QuestionsConfig(AppConfig):
    """Django reads this class by its place and name."""

    name = "benchdb.questions"

    def ready(self) -> None:
        """Add the maker; models are there from now on."""
        from benchdb.exports.parts import MAKERS

        from .explained import explain_again

        MAKERS["facts"] = explain_again
