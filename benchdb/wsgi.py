"""The WSGI application that gunicorn serves."""

from __future__ import annotations

import os

from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application

from benchdb.connections.database.watched import WatchedConnection
from benchdb.embedded.web_front import Front
from benchdb.http.rate_limits import address_of

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdb.settings")
# A copy, because WSGIRequest decodes the path in place, and a path that is decoded twice ends in 500.
application = Front(get_wsgi_application(), lambda environ: address_of(WSGIRequest({**environ})))

# The reader of a slower page has left, or the request is an attack. Workers and commands may take longer, and lock rows
# meanwhile: who waits for one holds a thread, so they wait elsewhere and try again.
for database in settings.DATABASES.values():
    options = database["OPTIONS"]
    limits = f"-c statement_timeout={settings.STATEMENT_SECONDS}s -c lock_timeout={settings.LOCK_SECONDS}s"
    options["options"] = f"{options.get('options', '')} {limits}".strip()
WatchedConnection.longest_seconds = settings.STATEMENT_SECONDS + 10  # the server's own limit comes first if it works
