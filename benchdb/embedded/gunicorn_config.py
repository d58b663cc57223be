"""What gunicorn cannot be told on its command line."""

import os
from signal import SIGKILL
from typing import Any

from billiard.util import set_pdeathsig
from django.urls import get_resolver

# The application is imported once and shared by the workers: half the time at the start, and half the memory.
preload_app = True


def when_ready(server: Any) -> None:
    """Import the views too, which Django leaves to the first request, before the workers are forked."""
    assert get_resolver().url_patterns


def post_fork(server: Any, worker: Any) -> None:
    """End with the master: by themselves, workers that serve a request notice its death only after that."""
    set_pdeathsig(SIGKILL)
    if os.getppid() != server.pid:  # it died before the kernel was asked
        os._exit(1)
