"""What identifies a snapshot."""

from __future__ import annotations

from benchdb.catalog.fingerprints import digest, fingerprints
from tests.support.documents import KIB, environment


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
