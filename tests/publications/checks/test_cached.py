"""The cache verdicts of stated workloads."""

from __future__ import annotations

import pytest

from .articles import computed_of


@pytest.mark.parametrize(("memory", "agrees"), [("10 GB", False), ("1 KB", True)])
def test_a_workload_and_its_memory(memory: str, agrees: bool) -> None:
    found = computed_of("vm | count | 1000", "vm | each | 1 KB", f"vm | memory | {memory}", "vm | access | read")
    assert [(each.check, each.subject, each.agrees) for each in found] == [("cache", "cache of vm", agrees)]
    assert len(found[0].statements) == 4
