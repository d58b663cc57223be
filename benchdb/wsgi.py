"""The WSGI application that gunicorn serves."""

from __future__ import annotations

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdb.settings")
application = get_wsgi_application()

# A page that takes the database longer has lost its reader, or was asked for to do harm. Workers and commands may.
for database in settings.DATABASES.values():
    options = database["OPTIONS"]
    options["options"] = f"{options.get('options', '')} -c statement_timeout={settings.STATEMENT_SECONDS}s".strip()
