"""BenchDB's settings, with an address that answers nothing: what a request costs before a view does anything."""

from benchdb.settings import *  # noqa: F403

ROOT_URLCONF = "tests.bench.urls"
