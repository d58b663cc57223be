"""The names of components in addresses."""

from urllib.parse import unquote

import pytest
from django.urls import resolve
from hypothesis import given
from hypothesis import strategies as st

from benchdb.catalog.component_addresses import (
    component_address,
    raid_address,
    raid_name,
    read_raid_name,
    say_raid,
)
from benchdb.catalog.services import digest, fingerprints
from tests.support.documents import KIB, environment

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\x7f"), min_size=1, max_size=200)


@given(level=TEXTS, chunk=st.none() | st.integers(1, 2**63 - 1))
def test_a_raid_layout_is_read_back_from_its_name(level: str, chunk: int | None) -> None:
    expected = (None if level == "none" and chunk is None else level, chunk)
    assert read_raid_name(raid_name(level, chunk)) == expected


@pytest.mark.parametrize(
    ("level", "chunk", "name", "text"),
    [
        ("raid6", 128 << 10, "raid6-128K", "RAID 6, 128 KiB chunk"),
        ("raid1", None, "raid1", "RAID 1"),
        ("raidz2", None, "raidz2", "raidz2"),
        ("linear-2", None, "linear-2-none", "linear-2"),
        (None, None, "none", "no RAID"),
    ],
)
def test_names_and_texts_of_raid_layouts(level: str | None, chunk: int | None, name: str, text: str) -> None:
    assert raid_name(level, chunk) == name
    assert raid_address(level, chunk) == f"/raid/{name}/"
    assert say_raid(level, chunk) == text


@pytest.mark.parametrize("name", ["-128K", "raid6-", "raid6-12X", "raid6-none-x"])
def test_other_names_are_no_raid_layout(name: str) -> None:
    with pytest.raises(ValueError, match=r"no RAID level|not a size"):
        read_raid_name(name)


@pytest.mark.parametrize("name", ["ext4", "two words", "a/b//c/", "<script>", "?#%", "é\n", None])
def test_an_address_leads_to_its_component(name: str | None) -> None:
    found = resolve(unquote(component_address("disk", name)))
    assert (found.view_name, found.kwargs) == ("component", {"kind": "disk", "name": name or "unknown"})


def test_a_digest_does_not_depend_on_the_order_of_fields() -> None:
    facts = environment()

    assert digest(dict(reversed(facts.items()))) == digest(facts)
    assert len(digest(facts)) == 32


def test_a_fingerprint_changes_with_its_component_only() -> None:
    before, facts = fingerprints(environment()), environment()
    facts["raid_arrays"][0]["chunk"] = 64 * KIB

    after = fingerprints(facts)

    assert {name for name in before if before[name] != after[name]} == {"storage"}
    assert set(before) == {"cpu", "memory", "numa", "kernel", "os", "virtualization", "storage"}
