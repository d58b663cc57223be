"""The processes of a running server."""

from collections.abc import Iterator
from contextlib import suppress

import psutil

APPLICATION = "application"


def services(supervisor: int) -> dict[str, psutil.Process]:
    """The first process of each service by name: `application`, its forks `web`, `worker` and so on, `postgres`."""
    found = {}
    for process in _services(psutil.Process(supervisor)):
        with suppress(psutil.NoSuchProcess):  # it has just ended
            found[process.name()] = process
    return found


def _services(supervisor: psutil.Process) -> Iterator[psutil.Process]:
    for child in supervisor.children():
        with suppress(psutil.NoSuchProcess):
            yield child
            if child.name() == APPLICATION:
                yield from child.children()
