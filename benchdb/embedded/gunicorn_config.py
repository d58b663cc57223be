"""What gunicorn cannot be told on its command line."""

import os
from signal import SIGKILL
from typing import Any

from billiard.util import set_pdeathsig


def post_fork(server: Any, worker: Any) -> None:
    """End with the master: by themselves, workers that serve a request notice its death only after that."""
    set_pdeathsig(SIGKILL)
    if os.getppid() != server.pid:  # it died before the kernel was asked
        os._exit(1)
