from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from benchagent.filesystems import named
from benchagent.filesystems.ext import parse_dumpe2fs
from benchagent.filesystems.xfs import parse_xfs_info
from benchagent.inventory.source import Source
from tests.agents.inventory.trees import mounted, recorded

# xfsprogs 3.1 of 2010, on a RAID of 12 disks: no crc, no feature flags, log on the data device.
OLD_XFS = """meta-data=/dev/sdb1              isize=256    agcount=32, agsize=76293632 blks
         =                       sectsz=512   attr=2
data     =                       bsize=4096   blocks=2441395712, imaxpct=5
         =                       sunit=32     swidth=320 blks
naming   =version 2              bsize=4096   ascii-ci=0
log      =internal               bsize=4096   blocks=521728, version=2
         =                       sectsz=512   sunit=32 blks, lazy-count=1
realtime =none                   extsz=4096   blocks=0, rtextents=0
"""


def test_ext4_on_an_array(tmp_path: Path) -> None:
    found = named("ext4").settings(recorded("raid5_sata", tmp_path), mounted("ext4"), "md0")
    assert found._replace(features=None)._asdict() == {
        "features": None,
        "block_size": 4096,
        "inode_size": 256,
        "stride": 524288,
        "stripe_width": 1572864,
        "details": {
            "journal_size": 1073741824,
            "inode_count": 91553792,
            "blocks_per_group": 32768,
            "flex_block_group_size": 16,
            "reserved_blocks": 18309465,
        },
    }
    assert found.features == sorted(found.features)
    assert "has_journal" in found.features


def test_what_mounting_changes_is_no_feature() -> None:
    found = parse_dumpe2fs("Filesystem features:      has_journal needs_recovery orphan_present extent\n")
    assert found.features == ["extent", "has_journal"]


def test_ext_without_a_stripe() -> None:
    found = parse_dumpe2fs("Filesystem features:      (none)\nBlock size:               1024\n")
    assert (found.stride, found.stripe_width, found.inode_size) == (None, None, None)


def test_xfs(tmp_path: Path) -> None:
    assert named("xfs").settings(
        recorded("virtio_guest", tmp_path), mounted("xfs", point="/mnt/xfs"), "loop1"
    )._asdict() == {
        "features": [
            "bigtime",
            "crc",
            "finobt",
            "ftype",
            "inobtcount",
            "lazy-count",
            "projid32bit",
            "reflink",
            "sparse",
        ],
        "block_size": 4096,
        "inode_size": 512,
        "stride": 65536,
        "stripe_width": 196608,
        "details": {
            "allocation_groups": 8,
            "allocation_group_size": 78577664,
            "sector_size": 512,
            "log_size": 67108864,
            "log_stripe_unit": 65536,
        },
    }


def test_xfs_of_2010() -> None:
    found = parse_xfs_info(OLD_XFS)
    assert found.features == ["lazy-count"]
    assert (found.inode_size, found.stride, found.stripe_width) == (256, 131072, 1310720)
    assert found.details["log_size"] == 521728 * 4096


def test_btrfs(tmp_path: Path) -> None:
    assert named("btrfs").settings(recorded("virtio_guest", tmp_path), mounted("btrfs"), "loop2")._asdict() == {
        "features": ["compress_zstd", "extended_iref", "free_space_tree", "no_holes", "skinny_metadata"],
        "block_size": 4096,
        "inode_size": None,
        "stride": None,
        "stripe_width": None,
        "details": {
            "node_size": 16384,
            "checksum": "crc32c",
            "data_profile": "single",
            "metadata_profile": "dup",
            "devices": 1,
        },
    }


def test_where_no_tool_answers_all_is_unknown(tmp_path: Path) -> None:
    for kind in ("ext4", "xfs", "btrfs", "f2fs"):
        found = named(kind).settings(Source(tmp_path), mounted(kind), "sda1")
        assert {*found._replace(details=None), *found.details.values()} == {None}


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    for parse in (parse_dumpe2fs, parse_xfs_info):
        found = parse(text)
        assert found.block_size is None or found.block_size >= 0
