"""The form over a comparison: what depends on a changed choice is left open again."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from benchdb.compare.form import settle, settle_surface

WAS = "tool=iozone&metric=throughput&file_size=1G&record_size=1M&threads=1&rows=file_system&tests=2"


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ("run=1&tool=iozone&file_size=1G", "run=1&tool=iozone&file_size=1G"),
        ("run=1&tool=bonnie&metric=throughput&file_size=1G&unit=MiB/s", "run=1&tool=bonnie"),
        ("tool=iozone&metric=rate&unit=MiB/s&record_size=1M&baseline=xfs", "tool=iozone&metric=rate&baseline=xfs"),
        ("file_size=2G&record_size=1M&threads=1", "file_size=2G"),
        ("rows=kernel&baseline=ext4", "rows=kernel"),
        ("test=read&test=write", ""),
        ("test=read", "test=read"),
        ("split=&baseline=&run=1&run=2", "run=1&run=2"),
    ],
)
def test_what_the_form_means(sent: str, meant: str) -> None:
    assert settle(QueryDict(sent), WAS) == meant.replace("/", "%2F")


@pytest.mark.parametrize("was", ["", "tool", "tool=iozone&tool=bonnie", "%00=%ff"])
def test_a_forged_memory_of_the_form_harms_nothing(was: str) -> None:
    assert "run=1" in settle(QueryDict("run=1&unit=B/s"), was)


def test_the_unit_of_a_surface_goes_with_its_metric() -> None:
    assert settle_surface(QueryDict("run=1&metric=elapsed&unit=MiB/s"), "metric=throughput") == "run=1&metric=elapsed"
    assert settle_surface(QueryDict("run=1&metric=elapsed&unit=ms"), "metric=elapsed") == "run=1&metric=elapsed&unit=ms"
