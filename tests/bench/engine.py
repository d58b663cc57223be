"""`make bench-engine`: fsload beside iozone and fio, interleaved, in one run. Exit status 1 where something is not met.

Wants a machine that does nothing else, iozone, fio and, for ext4, root. Takes ten to thirty minutes. All data are in
memory: a tmpfs, and an ext4 on a loop device over a file in it, so that a disk decides nothing.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import mean

from benchagent.formats.vocabulary import IOZONE_TESTS as TESTS
from tests.bench.ratios import Ledger, Ratio, in_reach, no_slower
from tests.bench.rivals import RING, Sweep, execute, fio, fsload, iozone
from tests.engine.mounts import mounted

ENGINE = Path(__file__).parents[2] / "agents" / "engine"
MEMORY = Path("/dev/shm")
# Records and the files they are measured on: large enough for each test to take many milliseconds.
SIZES = {"4K": "128M", "1M": "256M"}
# 64 KiB records of a short file: a constant cost of a test would show here.
SHORT = {"64K": "64M"}
# Records that io_uring has in flight, and those that one call submits and waits for.
DEPTH, BATCH = 32, 16
# The factor by which a noisy test may exceed its repetitions.
MORE = 2
# The reasons for ratios above 1.15, if they are known and right.
EXPLANATIONS = {"fio": "fio's own user time, below"}
MODEL = """
define fileset name="small",entries=1000,filesize=1k,prealloc,path="/tmp"
define process name="reader",instances=1 {
  thread name="thread",instances=4 {
    flowop openfile name="open",filesetname="small"
    flowop readwholefile name="read",filesetname="small"
    flowop closefile name="close"
  }
}
run 2
"""


@contextmanager
def places() -> Iterator[dict[str, Path]]:
    """The directories on the file systems to measure on, by name."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as memory:
        tmpfs = Path(memory) / "tmpfs"
        tmpfs.mkdir()
        if os.geteuid():
            print("bench: ext4 is left out: only root can mount it")
            yield {"tmpfs": tmpfs}
            return
        with mounted("ext4", Path(memory), 3072) as ext4:
            yield {"tmpfs": tmpfs, "ext4": ext4}


def interleaved(
    first: Callable[[], Sweep], second: Callable[[], Sweep], repetitions: int, most: int = 0
) -> list[tuple[Sweep, Sweep]]:
    """Run both in turn, after one uncounted run of each, and change the order each time.

    Exceeds `repetitions`, up to `most`, until the ratio of each test is known to 3 %. The value of the ratio does not
    affect when the measurement stops.
    """
    first(), second()
    pairs: list[tuple[Sweep, Sweep]] = []
    while len(pairs) < repetitions or (len(pairs) < most and not settled(pairs)):
        if len(pairs) % 2:
            pairs.append((first(), second()))
        else:
            later = second()
            pairs.append((first(), later))
    return pairs


def settled(pairs: list[tuple[Sweep, Sweep]]) -> bool:
    return all(throughput(pairs, test, test).precision <= 0.03 for test in pairs[0][0].throughput)


def throughput(pairs: list[tuple[Sweep, Sweep]], test: str, name: str) -> Ratio:
    return Ratio(name, [ours.throughput[test] / theirs.throughput[test] for ours, theirs in pairs])


def compare_with_iozone(
    ledger: Ledger, program: Path, directory: Path, name: str, repetitions: int, sizes: dict[str, str]
) -> list[float]:
    """Run the thirteen tests with iozone's settings: no latencies, one record written again and again.

    Returns iozone's 4 KiB reread throughputs, if 4 KiB is among the record sizes.
    """
    reread: list[float] = []
    for record, size in sizes.items():
        ledger.say(f"\nfsload / iozone, {name}, {size}iB in records of {record}iB")
        pairs = interleaved(
            partial(fsload, program, directory, size, record, "--no-latencies", "--same-record"),
            partial(iozone, directory, size, record),
            repetitions,
            MORE * repetitions,
        )
        for test in TESTS:
            ratio = throughput(pairs, test, f"{name} {record} {test}")
            if sizes is SHORT:
                ledger.enter(ratio, "≥ 1 in reach", in_reach, explanation(ratio, test))
            else:
                ledger.enter(ratio, "≥ 0.97 with 1 in reach", no_slower, explanation(ratio, test))
        if record == "4K":
            user = Ratio(f"{name} {record} user CPU", [ours.user / theirs.user for ours, theirs in pairs])
            ledger.enter(user, "≤ 1", lambda each: each.interval[0] <= 1)
            reread = [theirs.throughput["reread"] for _, theirs in pairs]
    return reread


def explanation(ratio: Ratio, test: str) -> str:
    return EXPLANATIONS.get(test, "WANTS AN EXPLANATION") if ratio.median > 1.15 else ""


def compare_with_fio(ledger: Ledger, program: Path, directory: Path, name: str, repetitions: int) -> None:
    """Compare random 4 KiB reads and writes by pread and pwrite, with both programs recording each latency."""
    ledger.say(f"\nfsload / fio psync, {name}, 512MiB at random in records of 4KiB")
    options = ("--method", "positional", "--tests", "random_read,random_write")
    for label, more, plain in (("", "", ()), (" no latencies", "gtod_reduce=1", ("--no-latencies",))):
        pairs = interleaved(
            partial(fsload, program, directory, "512M", "4K", *options, *plain),
            partial(fio, directory, "512M", more),
            repetitions,
        )
        for test in ("random_read", "random_write"):
            ratio = throughput(pairs, test, f"{name} fio {test}{label}")
            ledger.enter(ratio, "≥ 0.97 with 1 in reach", no_slower, explanation(ratio, "fio"))
        seconds = [(mean(sweep.user for sweep in side)) for side in zip(*pairs, strict=True)]
        ledger.say(f"{name + ' user time of a process' + label:44} {seconds[0]:.3f} s, fio {seconds[1]:.3f} s")
        user = Ratio(f"{name} fio user CPU{label}", [ours.user / theirs.user for ours, theirs in pairs])
        ledger.enter(user, "≤ 1", lambda each: each.interval[0] <= 1)


def compare_rings(ledger: Ledger, program: Path, directory: Path, name: str, repetitions: int) -> None:
    """Compare random 4 KiB reads and writes by io_uring, in the fastest form of both programs."""
    for label, direct in (("cached", False), ("direct", True)):
        ledger.say(f"\nfsload / fio io_uring, {name}, {label}, 512MiB at random in records of 4KiB, {DEPTH} in flight")
        options = ("--engine", "io_uring", "--depth", str(DEPTH), "--batch", str(BATCH), "--registered")
        options += ("--tests", "random_read,random_write", "--no-latencies", *(("--direct",) if direct else ()))
        pairs = interleaved(
            partial(fsload, program, directory, "512M", "4K", *options),
            partial(fio, directory, "512M", RING.format(depth=DEPTH, batch=BATCH, direct=direct)),
            repetitions,
            MORE * repetitions,
        )
        for test in ("random_read", "random_write"):
            ratio = throughput(pairs, test, f"{name} fio io_uring {label} {test}")
            ledger.enter(ratio, "≥ 1 in reach", in_reach, "" if direct else explanation(ratio, "fio"))


def cost_of_latencies(ledger: Ledger, program: Path, directory: Path, repetitions: int) -> None:
    ledger.say("\nwith latencies / without, tmpfs, 256MiB in records of 4KiB")
    pairs = interleaved(
        partial(fsload, program, directory, "256M", "4K"),
        partial(fsload, program, directory, "256M", "4K", "--no-latencies"),
        repetitions,
    )
    for test in TESTS:
        ledger.say(str(throughput(pairs, test, test)))
    # A single test is noisier than the wanted effect; the sum of one repetition is not.
    time = Ratio("time of all tests", [elapsed(without) / elapsed(taken) for taken, without in pairs])
    ledger.enter(time, "≥ 0.97", lambda each: each.median >= 0.97)


def elapsed(sweep: Sweep) -> float:
    """The time of all tests, in an arbitrary unit."""
    return sum(1 / each for each in sweep.throughput.values())


def small_files(ledger: Ledger, program: Path, directory: Path, reread: list[float]) -> None:
    """Compare open, read and close by four threads with a rate derived from iozone's 4 KiB reread throughput."""
    ledger.say("\nopen, read and close of 1 KiB files by 4 threads, tmpfs")
    model = directory / "model.f"
    model.write_text(MODEL)
    rates = []
    for _ in reread:
        lines = execute([program, "wml", model, "--directory", "."], directory).stdout.splitlines()
        [whole] = [line for line in map(json.loads, lines) if line.get("test") == "wml"]
        rates.append(whole["operations"] * 1e9 / whole["elapsed_ns"])
    wanted = [1.3e6 * speed / 5e9 for speed in reread]
    ledger.say(f"{mean(rates) / 1e6:.2f} million flowops/s, reread {mean(reread) / 1e9:.2f} GB/s")
    ratio = Ratio("flowops/s / (1.3 M × reread / 5 GB/s)", [r / w for r, w in zip(rates, wanted, strict=True)])
    ledger.enter(ratio, "≥ 1", lambda each: each.median >= 1)


def facts(ledger: Ledger) -> None:
    """Repeat the tests of facts that are not speeds."""
    ledger.say("\nO_DIRECT bytes on the device, a flipped bit, the same seed: tests/engine")
    wanted = "direct_io_moves or flipped or same_sequence or same_seed"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/engine", "-k", wanted]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    ledger.check("tests", done.returncode == 0, done.stdout.strip().splitlines()[-1])


def main() -> int:
    """Measure, print, and list unmet requirements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=31, help="of each pair, 7 or more (31); twice that in noise")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that file systems are unmounted
    repetitions = max(7, arguments.repetitions)
    missing = [name for name in ("iozone", "fio", "make", "cc") if shutil.which(name) is None]
    if missing:
        raise SystemExit(f"bench: {', '.join(missing)} not found; as root, tools/packages.py installs them")
    subprocess.run(["make", "-s", "-C", str(ENGINE)], check=True)
    ledger = Ledger()
    ledger.say(f"load average {os.getloadavg()[0]:.2f}, {os.cpu_count()} processors; median [95 % interval]")
    with places() as directories:
        program = ENGINE / "build" / "fsload"
        reread = compare_with_iozone(ledger, program, directories["tmpfs"], "tmpfs", repetitions, SIZES)
        compare_with_iozone(ledger, program, directories["tmpfs"], "tmpfs", repetitions, SHORT)
        small_files(ledger, program, directories["tmpfs"], reread)
        cost_of_latencies(ledger, program, directories["tmpfs"], repetitions)
        if "ext4" in directories:
            compare_with_iozone(ledger, program, directories["ext4"], "ext4", repetitions, SIZES)
            compare_rings(ledger, program, directories["ext4"], "ext4", min(repetitions, 15))
        for name, directory in directories.items():
            compare_with_fio(ledger, program, directory, name, min(repetitions, 15))  # longer and less noisy tests
    facts(ledger)
    ledger.say("\n" + ("all met" if not ledger.unmet else "not met:\n  " + "\n  ".join(ledger.unmet)))
    return 1 if ledger.unmet else 0


if __name__ == "__main__":
    sys.exit(main())
