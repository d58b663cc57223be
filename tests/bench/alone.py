"""BenchDB's settings for requests in the same process, without collected static files."""

from tests.support.plain_static import *  # noqa: F403
