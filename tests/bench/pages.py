"""How soon pages are there, what they weigh and what a turning surface costs, in headless Chromium on this machine.

Each page is loaded by a browser that has nothing of it, from a server with its worker as people run it; the median of
the repetitions is shown. A machine that is busy with something else gives other figures: its speed stands beside them.
"""

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.bench.ratios import Ledger
from tests.bench.turning import NotTurning, Turning, measure
from tests.browser.support.launching import ARGUMENTS, WIDE
from tests.plugins.missing import CHROMIUM_NAMES, find_command
from tests.support.documents import KIB, MIB, Section, artifact, document, iozone_document, result
from tests.system.server import Server, running

TABLE_MS, INTERACTIVE_MS, FRAME_MS = 1000, 2500, 8
PLAIN_BYTES, CHART_BYTES = 300_000, 900_000
ROUNDS = (0.995, 1.004, 1.001, 0.998, 1.006, 0.996)  # relative to the mean
TESTS = (
    *("write", "rewrite", "read", "reread", "random_read", "random_write", "backward_read", "record_rewrite"),
    *("strided_read", "fwrite", "frewrite", "fread", "freread"),
)
# The time when the first number of the table is painted, in milliseconds since the request. Checked only in frames:
# checks between frames would make the browser lay out an incomplete page.
TABLE = """() => new Promise((done) => {
  const look = () => {
    const cell = document.querySelector("main table tbody td");
    if (cell && cell.checkVisibility()) setTimeout(() => done(performance.now()));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})"""
# The number of steps of the simplest script in a second in this Chromium: the scale of all other figures.
SPEED = """() => {
  let sum = 0;
  const from = performance.now();
  for (let i = 0; i < 30_000_000; i++) sum = (sum + i * i) % 1_000_003;
  return [performance.now() - from, sum];
}"""


@dataclass(frozen=True)
class Load:
    """One load of a page: milliseconds until its table is visible, bytes over the network, requests."""

    table: float
    size: int
    requests: int


def stock(server: Server) -> dict[str, str]:
    """Store the data of the pages. Returns the paths of the pages by name."""
    secret = server.manage("token", "ada", "--create-owner", "--scope", "upload", "--visibility", "public")
    raw = [artifact("iozone.txt", "raw\n")]
    compared = [
        document(file_system=name, rounds=6, results=_wide(mean), artifacts=raw)
        for name, mean in (("ext4", 100), ("xfs", 120), ("btrfs", 101), ("jfs", 80))
    ]
    auto, grid = iozone_document(), document(rounds=1, results=_grid(100), artifacts=raw)
    for sent in (*compared, auto, grid):
        server.upload(sent, secret)
    for sent in (*compared, auto, grid):
        server.until_ready(sent["run_id"])
    chosen = "&".join(f"run={sent['run_id']}" for sent in compared)
    return {
        "list of runs": "runs/",
        "run of 396 results": f"runs/{auto['run_id']}/",
        "comparison of 208 cells": f"compare/?{chosen}",
        "surface 11 x 13": f"surface/?run={auto['run_id']}&test=read",
        "surface 100 x 100": f"surface/?run={grid['run_id']}&test=write",
    }


def _wide(mean: float) -> list[Section]:
    """Thirteen tests with four record sizes."""
    return [
        result(
            [mean * MIB * (1 + i / 10) * share for share in ROUNDS], test, file_size=1024 * MIB, record_size=size * KIB
        )
        for size in (4, 64, 1024, 16384)
        for i, test in enumerate(TESTS)
    ]


def _grid(side: int) -> list[Section]:
    """A hilly surface of `side` record sizes and file sizes."""
    return [
        result(
            [float((1 + (7 * i * j + 3 * i) % 13) * 100 * MIB)], file_size=(j + 1) * MIB, record_size=(i + 1) * 4 * KIB
        )
        for i in range(side)
        for j in range(side)
    ]


def load(browser: Browser, address: str) -> Load:
    """Load the page with an empty cache."""
    context = browser.new_context(viewport=WIDE)
    page = context.new_page()
    session = context.new_cdp_session(page)
    sizes: list[int] = []
    session.on("Network.loadingFinished", lambda said: sizes.append(int(said["encodedDataLength"])))
    session.send("Network.enable")
    page.goto(address, wait_until="commit")
    table = page.evaluate(TABLE)
    page.wait_for_load_state("networkidle")  # Plotly loads after the table
    context.close()
    return Load(table, sum(sizes), len(sizes))


def turned(browser: Browser, address: str) -> Turning:
    context = browser.new_context(viewport=WIDE)
    found = measure(context.new_page(), address)
    context.close()
    return found


def measure_all(ledger: Ledger, browser: Browser, address: str, paths: dict[str, str], repetitions: int) -> None:
    """Measure every page, and the rotation of the surfaces."""
    for name, path in paths.items():
        loads = [load(browser, address + path) for _ in range(repetitions)]
        shown, size = median(visit.table for visit in loads), max(visit.size for visit in loads)
        most = CHART_BYTES if "surface" in name else PLAIN_BYTES
        ledger.check(f"{name}: table visible", shown <= TABLE_MS, f"{shown:6.0f} ms of {TABLE_MS}")
        ledger.check("  over the network", size <= most, f"{size / 1000:6.1f} kB of {most / 1000:.0f}")
        ledger.say(f"  {'requests':42} {loads[0].requests:6}")
        if "surface" in name:
            try:
                _turn(ledger, [turned(browser, address + path) for _ in range(repetitions)])
            except NotTurning as error:
                ledger.check("  turning", False, str(error).split(": ", 1)[-1])


def _turn(ledger: Ledger, turnings: list[Turning]) -> None:
    answers, frame = (
        median(turning.interactive for turning in turnings),
        median(turning.script_median for turning in turnings),
    )
    ledger.check("  interactive", answers <= INTERACTIVE_MS, f"{answers:6.0f} ms of {INTERACTIVE_MS}")
    worst, frames = median(turning.script_worst for turning in turnings), sum(turning.frames for turning in turnings)
    ledger.check(
        "  script of a frame", frame <= FRAME_MS, f"{frame:6.2f} ms of {FRAME_MS}; worst {worst:.1f}, {frames} frames"
    )


def speed(browser: Browser) -> Iterator[str]:
    """Describe this machine's speed, for comparison with the figures."""
    page = browser.new_page()
    milliseconds = median(page.evaluate(SPEED)[0] for _ in range(5))
    page.close()
    load = os.getloadavg()[0]
    yield f"{os.cpu_count()} processors, {platform.machine()}, load {load:.1f}, Chromium {browser.version}"
    yield f"30 million turns of a simple loop of script: {milliseconds:.0f} ms"


def main() -> int:
    """Measure, print, and list unmet requirements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=5, help="of each page (5)")
    arguments = parser.parse_args()
    ledger = Ledger()
    with tempfile.TemporaryDirectory() as directory, running(Path(directory) / "var") as server:
        paths = stock(server)
        with sync_playwright() as playwright:
            options: dict[str, Any] = {"executable_path": find_command(*CHROMIUM_NAMES), "args": ARGUMENTS}
            browser = playwright.chromium.launch(**options)
            for line in speed(browser):
                ledger.say(line)
            measure_all(ledger, browser, server.url, paths, arguments.repetitions)
            browser.close()
    ledger.say("\n" + ("all met" if not ledger.unmet else "not met:\n  " + "\n  ".join(ledger.unmet)))
    return 1 if ledger.unmet else 0


if __name__ == "__main__":
    sys.exit(main())
