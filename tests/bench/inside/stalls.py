"""Equal throughput with different tails: the agent measures two file systems, of which one stops every 2 s for 20 ms.

Operations arrive at a fixed rate, so that those that arrive during a stop have to wait and are counted with their wait.
The second file system is mounted with `noatime`, by which this program finds it. FIFREEZE stops it, as for a snapshot:
the kernel writes everything back before the 20 ms.

Needs root and loop devices. Takes three minutes. The documents stay in the folder `KEEP`, if there is one.
"""

import fcntl
import json
import os
import subprocess
import sys
import tempfile
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

from benchdb.stats import Cells, ComparisonRow, compare, matrix
from benchdb.stats.distributions.tails import TAIL_SHARES, common_share, compare_tails, tail_values, tails_of

AGENTS = Path(__file__).parents[3] / "agents"
STOP, EVERY = 0.020, 2.0  # seconds
FIFREEZE, FITHAW = 0xC0045877, 0xC0045878
PLAN = """
name = "stalls"
rounds = 10
[[targets]]
kind = "image"
size = "1 GiB"
file_system = "ext4"
[targets.vary]
mount_options = {steady = ["relatime"], stalled = ["noatime"]}
[[workloads]]
tool = "fsload"
file_sizes = ["32 MiB"]
record_sizes = ["4 KiB"]
tests = ["random_write"]
threads = 4
rate = 500
arrivals = "poisson"
seconds = "6 s"
"""


def main() -> None:
    """Print the verdict on throughput and the one on tails."""
    if os.geteuid():
        print("skipped: needs root and loop devices")
        return
    with tempfile.TemporaryDirectory(prefix="benchdb-stalls-", dir="/var/tmp") as folder, _stalls():
        steady, stalled = _measured(Path(os.environ.get("KEEP", folder)))
    rates = [_values(document) for document in (steady, stalled)]
    tails = [tails_of([_histograms(document)]) for document in (steady, stalled)]
    share = common_share([*tails[0], *tails[1]])
    assert share is not None
    [means] = compare(Cells.of_values(matrix(rates[1:])), Cells.of_values(matrix(rates[:1]))).rows()
    slow, quick = (Cells.of_values(matrix([tail_values(each, share).tolist()])) for each in reversed(tails))
    _say("throughput", means, "equivalent")
    [worse] = compare_tails(slow, quick).rows()
    _say(f"latency at {TAIL_SHARES[share]:.2%}", worse, "worse")
    print(f"load average {' '.join(f'{load:.1f}' for load in os.getloadavg())}")


def _say(what: str, row: ComparisonRow, expected: str) -> None:
    print(f"{what}: {row.verdict.value}, × {row.ratio:.3g} [{row.low:.3g}, {row.high:.3g}]; expected {expected}")


def _measured(folder: Path) -> list[dict[str, Any]]:
    """The documents of the steady and of the stalled file system."""
    plan = folder / "plan.toml"
    plan.write_text(PLAN)
    environment = {**os.environ, "PYTHONPATH": str(AGENTS), "BENCHAGENT_STATE": str(folder / "state")}
    subprocess.run([sys.executable, "-m", "benchagent", "run", str(plan)], env=environment, check=True)
    documents = [json.loads(path.read_bytes()) for path in (folder / "state" / "spool" / "pending").glob("*.json")]
    measured = [document for document in documents if document["workload"]["tool"] == "fsload"]
    return sorted(measured, key=lambda document: "noatime" in json.dumps(document["target"]))


def _place(document: dict[str, Any], metric: str) -> int:
    """The place of this metric of the writes among the results."""
    results = document["results"]
    named = zip(results["test"], results["metric"], strict=True)
    return [*named].index(("random_write", metric))


def _values(document: dict[str, Any]) -> list[float]:
    results, place = document["results"], _place(document, "throughput")
    values: list[float] = results["values"][results["offsets"][place] : results["offsets"][place + 1]]
    return values


def _histograms(document: dict[str, Any]) -> list[bytes]:
    return [b64decode(text) for text in document["results"]["histograms"][_place(document, "latency_mean")]]


@contextmanager
def _stalls() -> Iterator[None]:
    """Stop each file system that is mounted with `noatime` on a loop device, again and again."""
    ended = Event()
    thread = Thread(target=_stall, args=(ended,))
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _stall(ended: Event) -> None:
    while not ended.wait(EVERY - STOP):
        mounts = [line.split() for line in Path("/proc/mounts").read_text().splitlines()]
        for device, directory, _, options, *_ in mounts:
            if device.startswith("/dev/loop") and "noatime" in options.split(",") and "benchdb-stalls" in directory:
                with suppress(OSError):  # it has just been unmounted
                    _freeze(directory, ended)


def _freeze(directory: str, ended: Event) -> None:
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.ioctl(descriptor, FIFREEZE, 0)
        try:
            ended.wait(STOP)
        finally:
            fcntl.ioctl(descriptor, FITHAW, 0)
    finally:
        os.close(descriptor)


if __name__ == "__main__":
    main()
