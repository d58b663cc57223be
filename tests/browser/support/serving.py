"""A server in this process with data that several tests share, because storing them takes seconds."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client, override_settings
from pytest_django.live_server_helper import LiveServer

from tests.support.caches import empty_caches

# A site with every way to sign in, so that all pages of these are there. Its provider is down.
EVERY_WAY = {
    "OIDC_ISSUER": "http://127.0.0.1:9",
    "OIDC_LABEL": "Example login",
    "OIDC_CLIENT_ID": "benchdb",
    "SIGN_UP": "mail",
    "EMAIL_HOST": "127.0.0.1",
    "SIGN_UP_DOMAINS": "example.org",
}


@contextmanager
def serving(blocker: Any, fill: Callable[[], dict[str, str]], **changed: Any) -> Iterator[tuple[str, dict[str, str]]]:
    """The server's address and the result of `fill`; `changed` are settings.

    The server has a cache of its own, and the database is emptied afterwards. Tests with this server are marked
    `django_db`: they see the stored data, and their changes are rolled back and invisible to the server. `live_server`
    and `transactional_db` would empty the database.
    """
    assert settings.STATICFILES_DIRS, "The front end is not built: frontend/npm ci && frontend/npm run build"
    with blocker.unblock(), override_settings(CACHES=empty_caches(), **changed):
        try:
            stored = fill()
            server = LiveServer("localhost")
            try:
                yield server.url, stored
            finally:
                server.stop()
        finally:
            call_command("flush", verbosity=0, interactive=False, reset_sequences=False)


def session_of(name: str, address: str) -> dict[str, Any]:
    """The session cookie of a signed-in user."""
    client = Client()
    client.force_login(User.objects.get(username=name))
    return {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": address}
