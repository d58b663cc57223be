"""The first screens of eight comparisons, for readers who have ten seconds: `make screenshots ONLY=ten`. Not collected.

A reader who has seen no other page says who wins, by how much, how sure that is, and what to beware of. The names of
`SITUATIONS` say what is true. `make screenshots ONLY=readme OUT=docs/pictures` makes the picture in README.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.sync_api import Browser

from tests.browser.conftest import Site
from tests.browser.support.launching import NARROW, WIDE
from tests.browser.support.serving import serving
from tests.demo.test_recordings import README, SHOWN, recorded_sweep
from tests.support.comparing.comparisons import campaign, ids
from tests.support.documents import GIB, KIB, MIB, environment, result
from tests.support.html import read
from tests.support.store import make_user, store_run

pytestmark = [pytest.mark.needs("chromium", package="chromium-headless-shell"), pytest.mark.django_db]

# MiB/s with records of 1 MiB, and the power of the record size that it grows with.
TESTS = {"write": (210, 0.1), "rewrite": (190, 0.1), "read": (540, 0.05), "random_read": (60, 0.7)}
TESTS |= {"reread": (545, 0.05), "random_write": (80, 0.6)}
ROUNDS = 8
SAME, FULL = (1.0, 1.0), {"status": "failed", "error": "No space left on device"}
LAPTOP = {**environment(), "memory": {"total": 2 * GIB, "usable": 2 * GIB, "swap": 0}}
Factors = Mapping[str, tuple[float, float]]
# By file system or kernel: how many times as fast its writes and its reads are; 0 if they failed.
SITUATIONS: Mapping[str, list[tuple[Factors, dict[str, Any]]]] = {
    "1 xfs is 30 % faster": [({"ext4": SAME, "xfs": (1.3, 1.3), "btrfs": SAME}, {})],
    "2 btrfs writes 3 times slower": [({"ext4": SAME, "xfs": SAME, "btrfs": (1 / 3, 1)}, {})],
    "3 nothing differs": [({"ext2": SAME, "ext3": SAME, "ext4": SAME, "xfs": SAME}, {"noise": 0.1})],
    "4 xfs reads faster and writes slower": [({"ext4": SAME, "xfs": (1 / 1.5, 1.4)}, {})],
    "5 files of 256 MiB are memory": [
        ({"ext4": (times, times), "xfs": (times * 1.01, times * 1.01)}, {"file_size": size})
        for times, size in ((12.0, 256 * MIB), (1.0, 64 * GIB))
    ],
    "6 two machines": [
        ({"ext4": SAME}, {"machine": {"name": "server-a", "machine_id": "1a" * 32}}),
        ({"xfs": (1.5, 1.6)}, {"machine": {"name": "laptop-b", "machine_id": "2b" * 32}, "environment": LAPTOP}),
    ],
    "7 xfs writes 15 % faster, btrfs fails to": [({"ext4": SAME, "xfs": (1.15, 1), "btrfs": (0, 1)}, {})],
    "8 twelve kernels": [({f"6.{number}.0": (1 + (number - 6) / 12, 1) for number in range(1, 13)}, {})],
}


def _measured(owner: User, factors: Factors, noise: float = 0.03, file_size: int = 64 * GIB, **sections: Any) -> str:
    """The query string of one run a file system or kernel."""
    random, runs = np.random.default_rng(7), []
    shared = {"campaign": campaign(), "environment": environment(), **sections}
    for name, of_both in factors.items():
        results = []
        for test, (speed, power) in TESTS.items():
            for size in (4 * KIB, 64 * KIB, MIB):
                mean = 1e6 * speed * (size / MIB) ** power * of_both["write" not in test]
                values = (mean * np.exp(noise * random.standard_normal(ROUNDS))).tolist() if mean else [None] * ROUNDS
                failure = {} if mean else FULL
                results.append(result(values, test, file_size=file_size, record_size=size, **failure))
        kernel = {"file_system": "ext4", "environment": {**environment(), "kernel": {"name": "Linux", "release": name}}}
        own = shared | (kernel if name[0].isdigit() else {"file_system": name})
        runs.append(store_run(owner, rounds=ROUNDS, results=results, **own))
    return ids(runs)


def _stored() -> dict[str, str]:
    paths = {}
    for name, campaigns in SITUATIONS.items():
        owner = make_user(f"owner{name[0]}")
        paths[name] = "/compare/?" + "&".join(_measured(owner, factors, **how) for factors, how in campaigns)
    return {**paths, "readme": recorded_sweep(make_user("readme"))}


@pytest.fixture(scope="module")
def site(django_db_setup: None, django_db_blocker: Any) -> Iterator[Site]:
    """A site with the eight comparisons."""
    with serving(django_db_blocker, _stored) as served:
        yield Site(*served)


@pytest.mark.parametrize("name", SITUATIONS)
def test_ten_seconds(name: str, site: Site, browser: Browser) -> None:
    folder = Path(os.environ["BENCHDB_SCREENSHOTS"])
    folder.mkdir(parents=True, exist_ok=True)
    for window in (WIDE, NARROW):
        page = browser.new_page(viewport=window)
        page.goto(site[name])
        page.wait_for_load_state("networkidle")
        page.screenshot(path=folder / f"ten-{name[0]}-{window['width']}.png")
        page.close()


def test_readme(site: Site, browser: Browser) -> None:
    path = Path(os.environ["BENCHDB_SCREENSHOTS"], README.name)
    page = browser.new_page(viewport={"width": 1440, "height": 860})
    page.goto(site["readme"])
    page.wait_for_load_state("networkidle")
    page.screenshot(path=path)
    page.close()
    shown = PngInfo()
    shown.add_itxt(SHOWN, read(Client().get(urlsplit(site["readme"])._replace(scheme="", netloc="").geturl())).text)
    with Image.open(path) as picture:
        picture.save(path, pnginfo=shown, optimize=True)
