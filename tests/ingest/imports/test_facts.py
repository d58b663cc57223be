"""Facts about machine and storage as people write them, and their values."""

from typing import Any

import pytest
from hypothesis import find, given
from hypothesis import strategies as st

from benchdb.facts.registry import ENTRIES
from benchdb.ingest.contract.environment import Environment
from benchdb.ingest.contract.target import Target
from benchdb.ingest.imports.facts import read_facts, sections
from tests.support.documents import document


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("memory", "8 GiB", 8 << 30),
        ("memory", "8G", 8 << 30),
        ("memory", "1.5 TiB", 3 << 39),
        ("memory", " 4096 ", 4096),
        ("cpu_threads", "8", 8),
        ("raid_level", "6", "raid6"),
        ("raid_level", "RAID-10", "raid10"),
        ("raid_level", "None", "none"),
        ("raid_level", "linear", "linear"),
        ("mkfs_command", "mkfs.xfs -d 'su=64k,sw=10' /dev/md0", ["mkfs.xfs", "-d", "su=64k,sw=10"]),
        ("mount_options", "noatime, barrier=1,", ["noatime", "barrier=1"]),
        ("disk_kind", "HDD", True),
        ("disk_kind", "ssd", False),
    ],
)
def test_facts_are_read_as_people_write_them(name: str, text: str, value: Any) -> None:
    assert read_facts({name: text}) == ({name: value}, {})


@pytest.mark.parametrize("text", ["", "  ", "unknown", "Unknown", "?"])
def test_what_is_unknown_is_left_out(text: str) -> None:
    assert read_facts(dict.fromkeys((fact.name for fact in ENTRIES), text)) == ({}, {})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("memory", "much"),
        ("memory", "-1"),
        ("memory", "0"),
        ("memory", "9" * 30),
        ("memory", "99999999 PiB"),
        ("cpu_threads", "0"),
        ("cpu_threads", "eight"),
        ("cpu_threads", "9" * 5000),
        ("cpu_model", "a\nb"),
        ("cpu_model", "x" * 201),
        ("mkfs_command", "mkfs 'x"),
        ("disk_kind", "tape"),
        ("mount_options", "a\x00b"),
    ],
)
def test_what_cannot_be_read_says_what_was_expected(name: str, text: str) -> None:
    read, faults = read_facts({name: text})

    assert (read, list(faults)) == ({}, [name])
    assert faults[name].startswith("Expected ")


def test_nothing_known_is_a_valid_environment_whose_every_fact_is_unknown() -> None:
    environment, target = sections({}, None, {})

    Environment.model_validate(environment)
    Target.model_validate(target)
    assert set(environment["provenance"].values()) == set(target["provenance"].values()) == {"unknown"}


ENTERED = st.dictionaries(st.sampled_from([fact.name for fact in ENTRIES]), st.text(max_size=30) | st.just("8"))


@given(ENTERED)
def test_whatever_is_written_is_a_fault_or_fits_the_contract(entered: dict[str, str]) -> None:
    read, faults = read_facts(entered)

    if not faults:
        environment, target = sections(read, None, {})
        Environment.model_validate(environment)
        Target.model_validate(target)


def test_some_facts_are_read_without_a_fault() -> None:
    """Ensure that the test above has cases."""

    def is_read(entered: dict[str, str]) -> bool:
        read, faults = read_facts(entered)
        return bool(read) and not faults

    assert find(ENTERED, is_read)


def test_what_the_machine_said_stays_where_nothing_is_declared() -> None:
    sent = document()
    detected = {
        "environment": Environment.model_validate(sent["environment"]).model_dump(mode="json"),
        "target": Target.model_validate(sent["target"]).model_dump(mode="json"),
    }

    assert sections({}, detected, {}) == (detected["environment"], detected["target"])
    environment, _ = sections({"memory": 1 << 30}, detected, {})
    assert (environment["memory"]["total"], environment["provenance"]["/memory/total"]) == (1 << 30, "declared")
    assert [contradiction["fact"] for contradiction in environment["contradictions"]] == ["/memory/total"]
    assert detected["environment"]["memory"]["total"] == sent["environment"]["memory"]["total"]


def test_a_recorded_fact_replaces_what_was_detected_later_and_the_facts_beside_it() -> None:
    sent = document()
    environment = Environment.model_validate(sent["environment"]).model_dump(mode="json")
    detected = {"environment": environment, "target": Target.model_validate(sent["target"]).model_dump(mode="json")}
    environment["os"] = {"id": "debian", "version": "12", "name": "Debian 12"}
    recorded = {"/kernel/release": "4.18.0", "/memory/total": environment["memory"]["total"]}
    recorded |= {"/os/id": "debian", "/os/version": "13"}

    found, _ = sections({}, detected, recorded)

    assert (found["kernel"], found["os"]) == ({"release": "4.18.0"}, {"id": "debian", "version": "13"})
    assert (found["memory"], found["cpu"]) == (environment["memory"], environment["cpu"])
    assert found["contradictions"] == environment["contradictions"]


def test_no_raid_is_a_stack_of_disks() -> None:
    _, target = sections({"raid_level": "none", "disk_model": "ST3250"}, None, {})

    assert [layer["kind"] for layer in target["stack"]] == ["disk"]
