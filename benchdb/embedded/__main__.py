"""`python -m benchdb.embedded`: the embedded services without Django's settings, for the test suite.

Quiet: the lines are in var/log. Everything about its end is on standard error.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .config import Paths
from .errors import ServiceError
from .foreground import services


def main() -> int:
    """Run until a signal."""
    parser = argparse.ArgumentParser(prog="python -m benchdb.embedded", description=__doc__)
    parser.add_argument("--var", type=Path, required=True, help="directory of data, logs and sockets")
    parser.add_argument("--ready-fd", type=int, help="file descriptor to write `ready` to")
    parser.add_argument("--forgetful", action="store_true", help="do not wait for the disk; for disposable data")
    options = parser.parse_args()
    try:
        return services(Paths(options.var.resolve()), None, durable=not options.forgetful, ready_fd=options.ready_fd)
    except ServiceError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
