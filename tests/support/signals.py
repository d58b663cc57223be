"""The environment of programs that get a signal from a test."""

import os
from collections.abc import Mapping


def signalled(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment without coverage.

    The tracer of coverage holds a lock while it runs Python code. If a signal handler raises an exception there, the
    lock is never released, and the program waits for ever at the next function.
    """
    return {name: value for name, value in environment.items() if name != "COVERAGE_PROCESS_CONFIG"}
