"""For programs that a test sends a signal to."""

from __future__ import annotations

import os
from collections.abc import Mapping


def signalled(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment without coverage.

    Its tracer holds a lock while it runs Python code; an exception that a signal handler raises in there leaves the
    lock taken, and the program waits for ever at the next function.
    """
    return {name: value for name, value in environment.items() if name != "COVERAGE_PROCESS_CONFIG"}
