"""The closed loop of `make load`, without a server."""

import gzip
import itertools
import os
import threading
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.load.addresses import REFERENCE, SMALL, addresses
from tests.load.costs import counted, grown, recorded
from tests.load.throughput import Packed, level
from tests.load.watching import EVERY_SECONDS, JUDGED_FROM, Watch, measured
from tests.support.documents import document, encoded, uuid7


def test_a_packed_document_takes_other_ids() -> None:
    made = document()
    packed = Packed(encoded(made))

    for run_id in (str(uuid7()), str(uuid7())):
        assert gzip.decompress(packed.with_id(run_id)) == encoded({**made, "run_id": run_id})


def test_each_client_waits_for_its_answer() -> None:
    """Two clients are never in the middle of more than two requests, and every third answer is an error."""
    numbers, inside, most = itertools.count(1), [], []

    def send() -> int:
        inside.append(threading.get_ident())
        most.append(len(inside))
        inside.remove(threading.get_ident())
        return 500 if next(numbers) % 3 == 0 else 200

    measured = level("some", send, 200, clients=2, seconds=0.05)

    assert max(most) <= 2
    assert measured.errors == (next(numbers) - 1) // 3
    assert 0 < measured.p50 <= measured.p99
    assert measured.per_second > 0


def test_a_client_that_cannot_connect_counts_as_an_error() -> None:
    def send() -> int:
        raise ConnectionRefusedError

    measured = level("some", send, 200, clients=1, seconds=0.01)

    assert measured.errors > 0
    assert (measured.per_second, measured.p99) == (0, 0)


def test_no_address_costs_half_as_much_again(client: Client, owner: User) -> None:
    """If this is intended, `make bench-costs` records the new figures."""
    costs = {name: counted(send) for name, send in addresses(client, owner, SMALL).items()}

    assert not grown(costs, recorded())
    first = costs[REFERENCE]
    assert grown({**costs, REFERENCE: replace(first, queries=2 * first.queries)}, costs) == [
        f"{REFERENCE}: {2 * first.queries} queries, recorded {first.queries}"
    ]


STEPS = int(JUDGED_FROM / EVERY_SECONDS) + 1


def watched(rise: float, steps: int = STEPS) -> Watch:
    """A part of about 100 MiB that grows by `rise` over the second half, with one outlier among the samples."""
    watch = Watch("", 0)
    for step in range(steps):
        used = 100 + rise * step / (steps - 1) * 2 + (50 if step == steps - 3 else 0)
        watch.samples.append((step * EVERY_SECONDS, {"web": used}))
        watch.used.append({"web": step * EVERY_SECONDS / 2})
    watch.processes = {"web": 3}
    return watch


@pytest.mark.parametrize(("rise", "flat"), [(0, True), (3.5, True), (6, False), (-20, True)])
def test_a_part_may_rise_by_little(rise: float, flat: bool) -> None:
    (growth,) = watched(rise).growths()
    assert growth.rise == pytest.approx(rise, abs=0.3)
    assert (growth.flat, growth.cores, growth.processes) == (flat, 0.5, 3)


def test_a_short_time_says_nothing() -> None:
    assert watched(0).judged
    assert not watched(0, STEPS - 1).judged


def test_memory_and_time_of_a_process_are_its_own() -> None:
    memory, used, number = measured(os.getpid())
    assert memory["supervisor"] > 1
    assert used["supervisor"] > 0
    assert number["supervisor"] >= 1
