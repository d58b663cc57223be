"""The web server as a service, and the socket it listens on."""

from __future__ import annotations

import http.client
import signal
import socket
import sys

from benchdb.embedded.config import PROJECT
from benchdb.embedded.errors import ServiceError
from benchdb.embedded.supervisor.forks import Application
from benchdb.embedded.supervisor.process import Service

BACKLOG = 256


def listen(address: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes any free port. Raises ServiceError if the port is not available.

    The supervisor opens the socket and passes it to gunicorn, so that a port in use is an error before anything starts,
    and the port stays open while gunicorn restarts.
    """
    if not 0 <= port <= 65535:
        raise ServiceError(f"There is no port {port}. Choose one up to 65535 with --port, or --port 0 for a free one.")
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        return socket.create_server((address, port), family=family, backlog=BACKLOG)
    except PermissionError:
        raise ServiceError(f"Port {port} needs root. Choose one above 1023, for example --port 8000.") from None
    except OSError as error:
        reason = str(error.strerror or error).partition(" (")[0]  # Python adds the address in brackets
        raise ServiceError(
            f"Port {port} on {address} cannot be used: {reason}. "
            "Choose another with --port, or --port 0 for a free one."
        ) from None


def url_of(listener: socket.socket) -> str:
    """The address of the server for a browser."""
    host, port = listener.getsockname()[:2]
    return f"http://{_bracketed(_reachable(host))}:{port}/"


def web_service(listener: socket.socket, workers: int | None, application: Application | None = None) -> Service:
    """gunicorn on an open socket, with this number of worker processes, or that of BENCHDB_WORKERS."""
    command = [
        *(sys.executable, "-m", "gunicorn", "benchdb.wsgi"),
        *("--config", "python:benchdb.embedded.gunicorn_config"),
        *("--bind", f"fd://{listener.fileno()}"),
        *("--worker-class", "gthread", *(("--workers", str(workers)) if workers else ())),
        *("--timeout", "60", "--graceful-timeout", "8"),
        # The control socket would be the same file for all servers of this user.
        "--no-control-socket",
    ]
    return Service(
        name="web",
        command=command,
        ready=lambda: _answers(listener),
        directory=PROJECT,
        descriptors=[listener.fileno()],
        stop_signal=signal.SIGTERM,
        orphan_signal=signal.SIGKILL,
        application=application,
    )


def _answers(listener: socket.socket) -> bool:
    """Whether the server answers with anything but a server error."""
    host, port = listener.getsockname()[:2]
    connection = http.client.HTTPConnection(_reachable(host), port, timeout=5)
    try:
        connection.request("GET", "/healthz", headers={"Host": "localhost"})
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _reachable(host: str) -> str:
    """The loopback address for a wildcard address, else the address itself."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
