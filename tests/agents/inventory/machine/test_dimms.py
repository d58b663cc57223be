from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from benchagent.inventory.machine.memory import Dimm, from_udev, modules, parse_dmidecode
from tests.agents.inventory.trees import unpack

SLOT = """Handle 0x0041, DMI type 17, 40 bytes
Memory Device
	Size: {size}
	Type: {type}
	Speed: {speed}
	{name} Speed: {configured}
"""


def slot(size: str, type: str = "DDR4", speed: str = "2666 MT/s", configured: str = "2400 MT/s", name: str = "") -> str:
    return SLOT.format(size=size, type=type, speed=speed, configured=configured, name=f"Configured {name or 'Memory'}")


def test_the_set_rate_before_the_possible_one() -> None:
    assert parse_dmidecode(slot("16 GB")) == [Dimm(16 * 2**30, "DDR4", 2_400_000_000)]
    assert parse_dmidecode(slot("16 GB", configured="Unknown")) == [Dimm(16 * 2**30, "DDR4", 2_666_000_000)]


def test_as_older_versions_say_it() -> None:
    text = slot("8192 MB", "DDR3", "1600 MHz", "1333 MHz", name="Clock")
    assert parse_dmidecode(text) == [Dimm(8 * 2**30, "DDR3", 1_333_000_000)]


def test_empty_slots_and_unknown_types() -> None:
    assert parse_dmidecode(slot("No Module Installed")) == []
    assert parse_dmidecode(slot("512 MB", "Unknown", "Unknown", "Unknown")) == [Dimm(512 * 2**20, None, None)]


def test_udev_before_dmidecode(tmp_path: Path) -> None:
    tree = "/run/udev/data/+dmi:id:\n| E:MEMORY_DEVICE_0_SIZE=1073741824\n| E:MEMORY_DEVICE_0_TYPE=DDR5\n"
    tree += "/commands/dmidecode -t 17:\n" + "".join(f"| {line}\n" for line in slot("16 GB").splitlines())
    assert modules(unpack(tree, tmp_path)) == [{"count": 1, "size": 2**30, "type": "DDR5", "transfer_rate": None}]


def test_kinds_are_counted(tmp_path: Path) -> None:
    text = "\n".join([slot("16 GB"), slot("16 GB"), slot("8 GB")])
    tree = "/commands/dmidecode -t 17:\n" + "".join(f"| {line}\n" for line in text.splitlines())
    assert [(module["count"], module["size"]) for module in modules(unpack(tree, tmp_path))] == [
        (2, 16 * 2**30),
        (1, 8 * 2**30),
    ]


def test_a_slot_that_says_it_is_empty() -> None:
    assert from_udev({"MEMORY_DEVICE_0_SIZE": "0", "MEMORY_DEVICE_1_PRESENT": "0"}) == []


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    assert isinstance(parse_dmidecode(text), list)
