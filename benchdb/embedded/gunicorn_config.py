"""What gunicorn cannot be told on its command line."""

import os
from signal import SIGKILL
from typing import Any

import scipy
from billiard.util import set_pdeathsig
from django.urls import get_resolver
from gunicorn.http import message

# The application is imported once and shared by the workers: half the time at the start, and half the memory.
preload_app = True

# A comparison of 200 runs names them in its address, in 9,000 bytes; gunicorn takes 8,190 unless told, or any number,
# and then reads on for as long as a client sends.
limit_request_line = message.MAX_REQUEST_LINE = 64 * 1024


def when_ready(server: Any) -> None:
    """Import before the workers are forked what is left to first use: the views, and the statistics behind them."""
    assert get_resolver().url_patterns
    assert scipy.stats


def post_fork(server: Any, worker: Any) -> None:
    """End with the master: by themselves, workers that serve a request notice its death only after that."""
    set_pdeathsig(SIGKILL)
    if os.getppid() != server.pid:  # it died before the kernel was asked
        os._exit(1)
