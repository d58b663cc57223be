"""`make bench-costs`: record what addresses cost, and list the twenty most expensive ones in docs/cost.md.

Not collected as a test; pytest only makes the database.
"""

import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from .addresses import LARGEST, REFERENCE, SMALL, addresses
from .costs import Timed, counted, grown, record, recorded, timed
from .guards import ratios

PAGE = Path("docs/cost.md")
MOST = 20
HEAD = """| address | processor ms | × list of runs | MB of memory | MB sent | queries |
|---|---:|---:|---:|---:|---:|
"""


def test_counted_costs(client: Client, owner: User) -> None:
    costs = {name: counted(send) for name, send in addresses(client, owner, SMALL).items()}
    print("\n".join(grown(costs, recorded())))
    record(costs)


def test_guards(client: Client, owner: User, settings: Any) -> None:
    settings.WORK_RATE = "1000000/h"
    print(*ratios(addresses(client, owner, SMALL)[REFERENCE]), sep="\n")


def test_timed_costs(client: Client, owner: User, settings: Any) -> None:
    settings.ADDRESS_RATE = settings.UPLOAD_RATE = settings.SHARE_RATE = "100000/m"
    costs = {}
    for name, send in addresses(client, owner, LARGEST).items():
        costs[name] = timed(send)
        print(name, costs[name], flush=True)
    load = f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.0f}, {datetime.now(UTC):%d %B %Y}"
    text = re.sub(r"(?m)^Measured on .*", f"Measured on {load}.", PAGE.read_text(), count=1)
    PAGE.write_text(re.sub(r"(?m)(^\|.*\n)+", lambda _: table(costs), text, count=1))


def table(costs: Mapping[str, Timed]) -> str:
    """The most expensive addresses in Markdown, and the list of runs."""
    base = costs[REFERENCE].milliseconds
    ordered = sorted(costs.items(), key=lambda item: item[1].milliseconds, reverse=True)
    shown = ordered[:MOST] + [item for item in ordered[MOST:] if item[0] == REFERENCE]
    return HEAD + "".join(
        f"| {name} | {cost.milliseconds:,.0f} | {cost.milliseconds / base:.1f} | {max(0, cost.memory):.0f}"
        f" | {cost.sent / 1e6:,.2f} | {cost.queries} |\n"
        for name, cost in shown
    )
