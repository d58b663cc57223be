from __future__ import annotations

from django.apps import AppConfig


class QuestionsConfig(AppConfig):
    """Registers the app `questions`, which has templates and no tables."""

    name = "benchdb.questions"
    label = "questions"
