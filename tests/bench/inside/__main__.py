"""Runs the parts of `make bench-inside`: all of them, or the one that is named."""

import sys
from collections.abc import Callable

from . import along, distributions, fio_examples, interventions, knee, open_loop, sampling, settling, stalls

PARTS: dict[str, Callable[[], None]] = {
    "along": along.main,
    "distributions": distributions.main,
    "fio_examples": fio_examples.main,
    "interventions": interventions.main,
    "knee": knee.main,
    "open_loop": open_loop.main,
    "sampling": sampling.main,
    "settling": settling.main,
    "stalls": stalls.main,
}


def main() -> int:
    """Run the parts. An unknown name ends with exit code 2."""
    names = sys.argv[1:] or list(PARTS)
    if unknown := [name for name in names if name not in PARTS]:
        print(f"bench-inside: no part {unknown[0]}; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    for name in names:
        print(f"# {name}", flush=True)
        PARTS[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main())
