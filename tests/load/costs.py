"""What a request costs: figures that are the same on any machine, and its processor time and memory on this one."""

import ctypes
import gc
import json
import os
import time
import tracemalloc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from cProfile import Profile
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from django.db import connection
from django.http.response import HttpResponseBase
from django.test.utils import CaptureQueriesContext

from benchdb.embedded import web_memory
from tests.support.made import make_all

from .addresses import Send
from .memory import forget_most, resident

RECORDED = Path(__file__).with_name("costs.json")
GROWTH = 1.5
REPEATED = 3
_libc = ctypes.CDLL(None)


@dataclass(frozen=True)
class Counted:
    """A request's SQL statements, bytes of the answer, calls of functions, and most kB that Python had allocated."""

    queries: int
    sent: int
    calls: int
    peak: int


@dataclass(frozen=True)
class Timed:
    """A request's milliseconds of processor time, most MB of the process beyond what it had before, bytes, queries."""

    milliseconds: float
    memory: float
    sent: int
    queries: int


def body_of(answer: HttpResponseBase) -> int:
    """The bytes of a successful answer."""
    pieces = [len(piece) for piece in answer]
    assert answer.status_code in (200, 201, 202), answer.status_code
    return sum(pieces)


def counted(send: Send) -> Counted:
    """The costs of a request that has been sent before, so that nothing is imported or filled for the first time."""
    body_of(send())
    profile = Profile()
    tracemalloc.start()
    with _collecting_as_the_server(), CaptureQueriesContext(connection) as queries:
        profile.enable()
        sent = body_of(send())
        profile.disable()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    calls = sum(entry.callcount for entry in profile.getstats())
    return Counted(len(queries), sent, calls, round(peak / 1000))


@contextmanager
def _collecting_as_the_server() -> Iterator[None]:
    before = gc.get_threshold()
    web_memory.prepare()
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def timed(send: Send) -> Timed:
    """The costs of a request: the median processor time of a few, the memory of the first, since others find some.

    What workers make for it is made before.
    """
    body_of(send())
    make_all()
    gc.collect()
    _libc.malloc_trim(0)
    forget_most(os.getpid())
    before, _ = resident(os.getpid())
    taken = []
    for turn in range(REPEATED):
        with _collecting_as_the_server(), CaptureQueriesContext(connection) as queries:
            started = time.process_time()
            sent = body_of(send())
            taken.append(1000 * (time.process_time() - started))
        if not turn:
            _, most = resident(os.getpid())
        gc.collect()
    return Timed(median(taken), most - before, sent, len(queries))


def grown(costs: Mapping[str, Counted], recorded: Mapping[str, Counted]) -> list[str]:
    """The costs that are more than recorded by half, in words, and addresses that only one of both has."""
    missing = [f"{name}: only measured or only recorded" for name in costs.keys() ^ recorded.keys()]
    return missing + [
        f"{name}: {value} {figure}, recorded {before}"
        for name in costs.keys() & recorded.keys()
        for figure, value in asdict(costs[name]).items()
        if value > GROWTH * (before := getattr(recorded[name], figure))
    ]


def recorded() -> dict[str, Counted]:
    """The recorded costs by address."""
    return {name: Counted(**costs) for name, costs in json.loads(RECORDED.read_text()).items()}


def record(costs: Mapping[str, Counted]) -> None:
    """Replace the recorded costs."""
    RECORDED.write_text(json.dumps({name: asdict(each) for name, each in costs.items()}, indent=1) + "\n")
