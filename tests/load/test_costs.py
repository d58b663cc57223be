"""No address costs half as much again as recorded, in figures that are the same on any machine."""

from __future__ import annotations

from dataclasses import replace

from django.contrib.auth.models import User
from django.test import Client

from .addresses import REFERENCE, SMALL, addresses
from .costs import counted, grown, recorded


def test_no_address_costs_half_as_much_again(client: Client, owner: User) -> None:
    """If this is intended, `make bench-costs` records the new figures."""
    costs = {name: counted(send) for name, send in addresses(client, owner, SMALL).items()}

    assert not grown(costs, recorded())
    first = costs[REFERENCE]
    assert grown({**costs, REFERENCE: replace(first, queries=2 * first.queries)}, costs) == [
        f"{REFERENCE}: {2 * first.queries} queries, recorded {first.queries}"
    ]
