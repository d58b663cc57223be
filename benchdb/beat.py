"""The Celery application of beat, which sends periodic tasks by their names.

It has the settings, routes and log lines of `benchdb.celery`, without the tasks: these import all models, views and
statistics, for which beat took three more seconds to start and 120 MB more memory.
"""

from __future__ import annotations

from celery import Celery

from .celery import app as tasks

app = Celery("benchdb", fixups=())  # Celery's part for Django imports every app and checks it
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.task_routes = tasks.conf.task_routes
