"""The settings of separately started web servers, without collected static files."""

from tests.support.plain_static import *  # noqa: F403

ALLOWED_HOSTS = ["127.0.0.1"]
