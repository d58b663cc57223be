"""Pictures of the first table for ten ways of choosing runs, on a site with the data of `make demo`. Not a test.

`make first-tables SITE=http://127.0.0.1:8000 OUT=folder`, while the demo's server is up.
"""

from __future__ import annotations

import argparse
import json
import urllib.request
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import ViewportSize, sync_playwright

from tests.browser.support.launching import ARGUMENTS
from tests.plugins.missing import CHROMIUM_NAMES, find_command

DEMO = ("label", "plan=demo")
WINDOW = ViewportSize(width=1440, height=1100)


def main() -> None:
    """Take the pictures, and print the title of each table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--site", default="http://127.0.0.1:8000")
    parser.add_argument("--out", type=Path, default=Path("var/first-tables"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_command(*CHROMIUM_NAMES), args=ARGUMENTS)
        page = browser.new_page(viewport=WINDOW)
        for number, (way, path) in enumerate(ways(args.site).items(), start=1):
            answer = page.goto(args.site + path)
            assert answer is not None
            title = page.locator("h1").inner_text()
            print(f"{number:2} {way}: {answer.status} {title}")
            page.screenshot(path=args.out / f"{number:02}-{way.replace(' ', '-')}.png")
        browser.close()


def ways(site: str) -> dict[str, str]:
    """The address of the comparison for each way of choosing runs."""
    fsload = [_one(site, DEMO, ("tool", "fsload"), ("file_system", name)) for name in ("ext4", "xfs")]
    iozone = _one(site, DEMO, ("tool", "iozone"), ("file_system", "ext4"))
    bonnie = _one(site, DEMO, ("tool", "bonnie++"), ("file_system", "ext4"))
    return {
        "all runs of the plan": _all(DEMO),
        "five file systems with fsload": _all(DEMO, ("tool", "fsload")),
        "five file systems with iozone": _all(DEMO, ("tool", "iozone")),
        "five file systems with bonnie": _all(DEMO, ("tool", "bonnie++")),
        "two file systems": f"/compare/?{urlencode([('run', run) for run in fsload])}",
        "one file system with three tools": _all(DEMO, ("file_system", "ext4")),
        "one run alone": f"/compare/?run={fsload[0]}",
        "own iozone beside published": f"/runs/{iozone}/published/",
        "own bonnie beside published": f"/runs/{bonnie}/published/",
        "everything in the store": _all(),
    }


def _all(*filters: tuple[str, str]) -> str:
    return f"/runs/all/?{urlencode(filters)}"


def _one(site: str, *filters: tuple[str, str]) -> str:
    """The id of the newest run with these filters."""
    with urllib.request.urlopen(f"{site}/runs/all.json?{urlencode(filters)}") as answer:
        return str(json.load(answer)["runs"][0]["id"])


if __name__ == "__main__":
    main()
