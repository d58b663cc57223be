from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from benchagent.inventory.machine.controllers import controllers, parse_lspci
from benchagent.inventory.source import Source
from tests.agents.inventory.trees import recorded


def test_named_by_lspci_and_network_cards_left_out(tmp_path: Path) -> None:
    assert controllers(recorded("raid5_sata", tmp_path)) == [
        {
            "name": "0000:00:1f.2",
            "model": "Intel Corporation 631xESB/632xESB SATA AHCI Controller",
            "driver": "ahci",
            "firmware": None,
            "cache": None,
            "cache_mode": None,
        }
    ]


def test_named_by_its_numbers_where_lspci_is_missing(tmp_path: Path) -> None:
    (found,) = controllers(recorded("luks_nvme", tmp_path))
    assert (found["model"], found["driver"]) == ("144d:a808", "nvme")


def test_without_a_pci_bus_there_are_none(tmp_path: Path) -> None:
    assert controllers(Source(tmp_path)) == []


def test_quotes_of_lspci() -> None:
    line = (
        '0000:03:00.0 "RAID bus controller" "Broadcom / LSI" "MegaRAID \\"9361\\"" -r02 "Dell" "H730"\nbroken "line\n'
    )
    assert parse_lspci(line) == {"0000:03:00.0": 'Broadcom / LSI MegaRAID "9361"'}


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    assert isinstance(parse_lspci(text), dict)
