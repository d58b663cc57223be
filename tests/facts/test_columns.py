"""The columns by which runs are filtered, from the facts of environments and targets."""

from benchdb.facts.registry import columns_of
from tests.support.documents import GIB, KIB, MIB, environment, target


def test_what_an_environment_is_found_by() -> None:
    assert columns_of("environment", environment()) == {
        "cpu_model": "AMD EPYC 7351P 16-Core Processor",
        "cpu_threads": 32,
        "memory": 8 * GIB,
        "kernel_release": "6.1.0-28-amd64",
        "os_name": "Debian GNU/Linux 12 (bookworm)",
        "virtualization": "none",
        "governor": None,
    }


def test_a_distribution_without_a_name_is_found_by_its_id() -> None:
    facts = environment()
    facts["os"] = {"id": "debian", "version": "12", "name": None}

    assert columns_of("environment", facts)["os_name"] == "debian"


def test_what_a_target_is_found_by() -> None:
    assert columns_of("target", target("xfs")) == {
        "file_system": "xfs",
        "block_size": 4096,
        "mkfs_options": "-b 4096",
        "mount_options": ["rw", "noatime"],
        "raid_level": "raid6",
        "raid_chunk": 128 * KIB,
        "raid_members": 4,
        "layers": "none",
        "disk_model": "ST4000NM0035",
        "transport": None,
        "scheduler": "mq-deadline",
        "read_ahead": 2 * MIB,
    }


def test_whatever_has_a_level_is_found_by_it() -> None:
    facts = target()
    facts["stack"] = [
        {"kind": "lvm", "level": None, "facts": {}},
        {"kind": "btrfs", "level": "raid1", "members": 2},
        {"kind": "raid", "level": "raid6", "chunk": 128 * KIB},
    ]

    assert columns_of("target", facts)["raid_level"] == "raid1"
    assert columns_of("target", facts)["raid_chunk"] is None


def test_layers_are_what_lies_between_the_file_system_and_its_disks() -> None:
    facts = target("zfs")
    kinds = ["zfs", "raid", "lvm", "crypt", "partition", "crypt", "disk"]
    facts["stack"] = [{"kind": kind} for kind in kinds]

    assert columns_of("target", facts)["layers"] == "lvm crypt"


def test_mkfs_options_have_one_order_and_no_type_or_force() -> None:
    facts = target("ext4")
    options = []
    for command in ("mkfs -t ext4 -E stride=32 -i 65536", "mkfs.ext4 -F -q -i 65536 -E stride=32"):
        facts["file_system"]["mkfs_command"] = command.split()
        options.append(columns_of("target", facts)["mkfs_options"])

    assert options == ["-E stride=32 -i 65536"] * 2


def test_a_target_of_which_little_is_known() -> None:
    facts = {"kind": "directory", "file_system": {"type": None}, "mount": {}, "stack": []}

    assert columns_of("target", facts) == {
        "file_system": None,
        "block_size": None,
        "mkfs_options": "",
        "mount_options": None,
        "raid_level": None,
        "raid_chunk": None,
        "raid_members": None,
        "layers": None,
        "disk_model": None,
        "transport": None,
        "scheduler": None,
        "read_ahead": None,
    }
