"""The Celery application: statistics and everything else that takes longer than a request may."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdb.settings")

app = Celery("benchdb")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
