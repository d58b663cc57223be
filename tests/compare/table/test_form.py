"""The form above a comparison: choices that depend on a changed choice are left open again."""

import pytest
from django.http import QueryDict

from benchdb.compare.table.kind import settle

EARLIER_CHOICES = (
    "tool=iozone&metric=throughput&file_size=1G&record_size=1M&threads=1&rows=file_system&columns=test&split="
    "&factor=file_system&explicit=&open:test=2&open:kernel=3"
)


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ("run=1&tool=iozone&file_size=1G", "run=1&tool=iozone&file_size=1G"),
        ("run=1&tool=bonnie&metric=throughput&file_size=1G&unit=MiB/s", "run=1&tool=bonnie"),
        ("tool=iozone&metric=rate&unit=MiB/s&record_size=1M&baseline=xfs", "tool=iozone&metric=rate&baseline=xfs"),
        ("file_size=2G&record_size=1M&threads=1", "file_size=2G"),
        ("rows=kernel&baseline=ext4", "rows=kernel"),
        ("test=read&test=write", ""),
        ("kernel=6.1&kernel=6.2&kernel=6.3", ""),
        ("kernel=6.1&kernel=6.2", "kernel=6.1&kernel=6.2"),
        ("rows=file_system&rows=mount_options&baseline=ext4", "rows=file_system,mount_options"),
        ("rows=file_system&rows=", "rows=file_system"),
        ("split=none&split=kernel", "split=kernel"),
        (
            "columns=test&rows=kernel&test=read&test=write&test=fread",
            "test=read&test=write&test=fread&rows=kernel&columns=test",
        ),
        ("columns=record_size&test=read&test=write&file_size=1G", "file_size=1G&columns=record_size"),
        ("factor=file_system&statistic=mean&margin=0.05&correction=benjamini_hochberg", ""),
        ("factor=test&baseline=ext4&statistic=median&margin=0.1", "factor=test&statistic=median&margin=0.1"),
        ("test=read", "test=read"),
        ("split=&baseline=&run=1&run=2", "run=1&run=2"),
        ("test=read&test=write&only=test=read", "test=read"),
        ("kernel=6.1&kernel=6.2&only=mount_option:data=ordered", "kernel=6.1&kernel=6.2&mount_option:data=ordered"),
        ("run=1&only=test", "run=1"),
        ("file_system=xfs&file_system=ext4&baseline=btrfs&only=file_system=xfs", "file_system=xfs"),
    ],
)
def test_what_the_form_means(sent: str, meant: str) -> None:
    assert settle(QueryDict(sent), EARLIER_CHOICES) == meant


def test_a_baseline_that_nobody_chose_stays_open() -> None:
    was = f"{EARLIER_CHOICES}&baseline=ext4"
    assert (
        settle(QueryDict("file_system=xfs&file_system=btrfs&baseline=ext4"), was) == "file_system=xfs&file_system=btrfs"
    )
    assert settle(QueryDict("baseline=xfs"), was) == "baseline=xfs"


@pytest.mark.parametrize("was", ["", "tool", "tool=iozone&tool=bonnie", "%00=%ff"])
def test_a_forged_memory_of_the_form_harms_nothing(was: str) -> None:
    assert "run=1" in settle(QueryDict("run=1&unit=B/s"), was)


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("test=read&test=write&unit=MiB/s", True),
        ("test=read&test=write&statistic=median&margin=0.1&baseline=xfs", True),
        ("test=write", False),
        ("test=read&test=write&only=test=read", False),
        ("test=read&test=write&kernel=6.1", False),
    ],
)
def test_a_sort_lasts_as_long_as_its_columns(sent: str, kept: bool) -> None:
    was = f"{EARLIER_CHOICES}&sorted=test%3Dread%26test%3Dwrite"

    assert ("sort=Read" in settle(QueryDict(f"run=1&sort=Read&{sent}"), was)) is kept
