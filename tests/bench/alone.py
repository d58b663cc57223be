"""BenchDB's settings for pages that are asked for in the same process, without collected static files."""

from tests.support.plain_static import *  # noqa: F403
