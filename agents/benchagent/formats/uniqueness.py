"""The identity of a result in its run, by which agent and server decide whether results are unique."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import itemgetter

# Test, metric, file size, record size, threads, and the params sorted by name.
Identity = tuple[object, ...]


def identity(
    test: str,
    metric: str,
    file_size: int | None,
    record_size: int | None,
    threads: int | None,
    params: Mapping[str, object],
) -> Identity:
    """The identity of a result. In params 1 equals 1.0 and differs from true, as in PostgreSQL's jsonb."""
    quantity = (test, metric, file_size, record_size, threads)
    if not params:
        return quantity
    return (
        *quantity,
        *((name, type(value) is bool, value) for name, value in sorted(params.items(), key=itemgetter(0))),
    )


def repeated(identities: Iterable[Identity]) -> dict[int, int]:
    """The indices of results that are in the list before, each with the index of the first; empty if all are unique."""
    first: dict[Identity, int] = {}
    return {i: first[key] for i, key in enumerate(identities) if first.setdefault(key, i) != i}
