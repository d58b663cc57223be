"""BenchDB's settings plus an address with an empty answer, for the cost of a request without a view."""

from benchdb.settings import *  # noqa: F403

ROOT_URLCONF = "tests.bench.server.urls"
