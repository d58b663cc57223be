"""The closed loop of `make load`, without a server."""

from __future__ import annotations

import gzip
import itertools
import threading

from tests.load.throughput import Packed, level
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
