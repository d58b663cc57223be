"""Values that an interface, the space of a disk or a number of parts rules out."""

from __future__ import annotations

import pytest

from .articles import outcomes


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        (["disk | interface | SCSI ultra320", "disk / read | rate | 400 MB/s"], ("faster than possible", False)),
        (["disk | interface | SCSI ultra320", "disk / read | rate | 300 MB/s"], ("faster than possible", True)),
        (["disk | model | ST3500641AS-RK", "disk / read | rate | 310 MB/s"], ("faster than possible", False)),
        (["disk | model | WD_BLACK SN770", "disk / read | rate | 7 GB/s"], ("faster than possible", True)),
        (["disk | space | 68 GB", "disk / files | size | 64 GB"], ("space", True)),
        (["disk | space | 68 GB", "disk / files | size | 80 GB"], ("space", False)),
        (["cpus | count | 4", "cpus | index | 4"], ("size arithmetic", False)),
        (["cpus | count | 4", "cpus | index | 3"], ("size arithmetic", True)),
    ],
)
def test_a_limit(statements: list[str], expected: tuple[str, bool]) -> None:
    assert outcomes(*statements) == [expected]


def test_an_interface_that_nobody_knows_limits_nothing() -> None:
    assert outcomes("disk | interface | Ethernet", "disk | rate | 400 GB/s") == []
