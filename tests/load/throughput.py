"""How many uploads and comparisons a second the site sustains with clients that wait for each answer."""

import gzip
import itertools
import random
import threading
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

import numpy as np

from tests.bench.pages import TESTS
from tests.bench.server.stock import FILE_SIZES, RECORD_SIZES, reference
from tests.support.documents import encoded, uuid7

from .client import Client

CLIENTS = (1, 4, 16)
SECONDS = 15.0  # at each number of clients
Send = Callable[[], int]  # sends one request, and returns the status of the answer
COMPARED_SIZES = [size for size in RECORD_SIZES if size <= 2 << 20]  # of those that the copied runs have


@dataclass(frozen=True)
class Level:
    """One number of clients: answers a second, times in milliseconds, and unexpected answers."""

    name: str
    clients: int
    per_second: float
    p50: float
    p99: float
    errors: int

    def __str__(self) -> str:
        times = f"{self.p50:8.0f} {self.p99:8.0f}"
        return f"{self.name:28} {self.clients:8} {self.per_second:9.1f} {times} {self.errors:8}"


def measure(url: str, secrets: Sequence[str], runs: Sequence[Sequence[str]]) -> list[Level]:
    """Measure uploads and comparisons with each number of clients, and print them.

    An account may send 600 documents a minute, so clients use the `secrets` of several in turn. A comparison takes one
    run of each list of `runs`.
    """
    upload, compare = uploads(url, secrets), comparisons(url, runs)
    print(f"\n{'closed loop':28} {'clients':>8} {'a second':>9} {'p50 ms':>8} {'p99':>8} {'errors':>8}")
    levels = []
    for name, send, expected in (("upload of 13,000 values", upload, 201), ("comparison of four runs", compare, 200)):
        send()  # the first of its kind fills caches
        for clients in CLIENTS:
            levels.append(level(name, send, expected, clients))
            print(levels[-1], flush=True)
    return levels


def level(name: str, send: Send, expected: int, clients: int, seconds: float = SECONDS) -> Level:
    """Let so many clients send one request after the other for this time, and at least one each."""
    answers: list[tuple[float, int]] = []  # seconds and status
    started = time.monotonic()

    def work() -> None:
        ended = started
        while ended < started + seconds:
            begun = time.monotonic()
            try:
                status = send()
            except OSError:
                status = 0
            ended = time.monotonic()
            answers.append((ended - begun, status))

    threads = [threading.Thread(target=work) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.monotonic() - started
    good = [second for second, status in answers if status == expected]
    p50, p99 = (1000 * np.percentile(good, [50, 99])).tolist() if good else (0.0, 0.0)
    return Level(name, clients, len(good) / took, p50, p99, len(answers) - len(good))


def uploads(url: str, secrets: Sequence[str]) -> Send:
    """Sends the reference run under a new id each time."""
    client, turns = Client(url, ""), itertools.cycle(secrets)
    packed = Packed(encoded(reference()))
    fields = {"Content-Type": "application/json", "Content-Encoding": "gzip"}

    def send() -> int:
        run_id = str(uuid7())
        bearer = {"Authorization": f"Bearer {next(turns)}"}
        return client.ask(f"/api/v1/runs/{run_id}", "PUT", packed.with_id(run_id), {**fields, **bearer})[0]

    return send


def comparisons(url: str, runs: Sequence[Sequence[str]]) -> Send:
    """Reads a table of 13 tests × record sizes, of another selection of runs each time."""
    client, random_ = Client(url, ""), random.Random(1)
    axes = [
        ("file_size", FILE_SIZES[0]),
        ("rows", "file_system"),
        ("columns", "test"),
        ("split", "record_size"),
        ("metric", "throughput"),
    ]
    rest = urlencode([*(("test", test) for test in TESTS), *(("record_size", size) for size in COMPARED_SIZES), *axes])

    def send() -> int:
        chosen = "&".join(f"run={random_.choice(of_kind)}" for of_kind in runs)
        return client.ask(f"/compare/?{chosen}&{rest}")[0]

    return send


class Packed:
    """A gzipped document whose run id can be replaced quickly: the part after it is compressed only once."""

    def __init__(self, text: bytes) -> None:
        start = text.index(b'"run_id": "') + len(b'"run_id": "')
        self.head, self.tail = text[:start], text[start + 36 :]
        self.tail_packed = _deflated(self.tail, zlib.Z_FINISH)
        self.size = len(text)

    def with_id(self, run_id: str) -> bytes:
        """The document with this id, as an agent sends it."""
        head = self.head + run_id.encode()
        end = zlib.crc32(self.tail, zlib.crc32(head)).to_bytes(4, "little") + self.size.to_bytes(4, "little")
        return _HEADER + _deflated(head, zlib.Z_FULL_FLUSH) + self.tail_packed + end


_HEADER = gzip.compress(b"")[:10]


def _deflated(text: bytes, flush: int) -> bytes:
    compressor = zlib.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS)
    return compressor.compress(text) + compressor.flush(flush)
