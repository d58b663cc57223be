"""The server's settings with static files as in tests: not collected, without hashes in their names."""

from benchdb.settings import *  # noqa: F403
from benchdb.settings import STORAGES as _STORAGES

STORAGES = {**_STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
ALLOWED_HOSTS = ["testserver"]
