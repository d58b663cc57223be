from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.filesystems.zfs import Vdev, devices, layers, parse_status, settings, states
from benchagent.inventory.source import Source
from tests.agents.inventory.trees import mounted, recorded, unpack

RESILVER = """  pool: home
 state: DEGRADED
status: One or more devices is currently being resilvered.
  scan: resilver in progress since Sun May 12 00:24:02 2024
\t1.1T scanned, 0.2T issued, 18.50% done, 07:15:41 to go
config:

\tNAME                      STATE     READ WRITE CKSUM
\thome                      DEGRADED     0     0     0
\t  mirror-0                DEGRADED     0     0     0
\t    /dev/sda1             ONLINE       0     0     0
\t    replacing-1           DEGRADED     0     0     0
\t      1234567890123456    UNAVAIL      0     0     0  was /dev/sdb1
\t      /dev/sdc1           ONLINE       0     0     0
\t  /dev/sdd1               ONLINE       0     0     0
\tspecial\t
\t  mirror-2                ONLINE       0     0     0
\t    /dev/nvme0n1p1        ONLINE       0     0     0
\tspares
\t  /dev/sde1               AVAIL

errors: No known data errors
"""
HOME, TANK = mounted("zfs", "home/x"), mounted("zfs", "tank/bench")


def pool(status: str, into: Path) -> Source:
    return unpack("/commands/zpool status -LP home:\n" + "".join(f"| {line}\n" for line in status.splitlines()), into)


def test_groups_single_disks_and_roles() -> None:
    assert parse_status(RESILVER) == [
        Vdev("data", "mirror", ["/dev/sda1", "replacing-1"]),
        Vdev("data", None, ["/dev/sdd1"]),
        Vdev("special", "mirror", ["/dev/nvme0n1p1"]),
        Vdev("spare", None, ["/dev/sde1"]),
    ]


def test_a_resilver(tmp_path: Path) -> None:
    assert states(pool(RESILVER, tmp_path), HOME, None) == [
        {"kind": "zfs", "name": None, "state": "degraded, resilvering", "done": 0.185}
    ]


def test_draid_keeps_its_numbers() -> None:
    (vdev,) = parse_status("config:\n\n\tNAME  STATE\n\tp  ONLINE\n\t  draid2:4d:12c:1s-0  ONLINE\n")
    assert vdev.level == "draid2:4d:12c:1s"


def test_without_zpool_all_is_unknown(tmp_path: Path) -> None:
    source = Source(tmp_path)
    assert devices(source, HOME) == []
    assert states(source, HOME, None)[0]["state"] is None
    assert settings(source, HOME, None).features is None
    assert layers(source, HOME, None) == [
        {"kind": "zfs", "size": None, "facts": {"vdevs": "", "ashift": None, "autotrim": None}}
    ]


def test_zdb_knows_an_ashift_that_nobody_set(tmp_path: Path) -> None:
    tree = "/commands/zpool get -Hp -o property,value all home: ashift\t0\n"
    tree += "/commands/zdb -C home:\n| MOS Configuration:\n|         ashift: 13\n"
    assert layers(unpack(tree, tmp_path), HOME, None)[0]["facts"]["ashift"] == 13


def test_neither_pool_nor_dataset_is_named(tmp_path: Path) -> None:
    source = recorded("zfs_raidz2", tmp_path)
    assert "tank" not in str([layers(source, TANK, None), settings(source, TANK, None), states(source, TANK, None)])


@pytest.mark.parametrize("property", ["feature@edonr", "guid", "com.example:owner", "creation"])
def test_what_is_no_setting_stays_out(tmp_path: Path, property: str) -> None:
    found = settings(recorded("zfs_raidz2", tmp_path), TANK, None)
    assert property.partition("@")[2] or property not in found.details
    assert "edonr" not in found.features


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    assert isinstance(parse_status(text), list)
    assert isinstance(parse_status("config:\n\t" + text), list)
