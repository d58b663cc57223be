"""Later facts of environment, target and state in the contract: optional, but checked if present."""

import json
from typing import Any
from uuid import UUID

import pytest

from benchdb.ingest.contract import validate
from tests.support.documents import document, environment, target
from tests.support.faults import places_of

NEW: dict[str, Any] = {
    "numa_nodes": [{"threads": 8, "memory": 1024, "distances": [10, 21]}, {}],
    "contradictions": [{"fact": "/cpu/model", "detected": None, "declared": 3, "kept": "declared"}],
}


def with_environment(**fields: Any) -> dict[str, Any]:
    return document(environment={**environment(), **fields})


def accepted(found: dict[str, Any]) -> Any:
    return validate(json.dumps(found).encode(), UUID(found["run_id"]))[0]


def test_facts_that_nobody_could_read_may_be_absent() -> None:
    found = accepted(document())
    assert (found.environment.numa_nodes, found.environment.memory.modules, found.state_before.arrays) == ([], [], [])


def test_all_that_is_new() -> None:
    facts = {**environment(), **NEW}
    facts["cpu"] |= {"frequency_driver": "intel_pstate", "boost": True}
    facts["memory"] |= {"modules": [{"count": 4, "size": 2**33, "type": "DDR4", "transfer_rate": 2_666_000_000}]}
    facts["block_devices"][0] |= {"link": "6.0 Gbps"}
    facts["raid_arrays"][0] |= {"disk_model": "HUA721010KLA330"}
    facts["controllers"] = [{"name": "0000:03:00.0", "cache": 2**30, "cache_mode": "write back"}]
    arrays = [{"kind": "raid", "name": "md0", "state": "degraded, recovering", "done": 0.31}]
    read = accepted(
        document(
            environment=facts,
            target={**target(), "contradictions": NEW["contradictions"]},
            state_before={"arrays": arrays},
        )
    )
    assert (read.environment.memory.modules[0].transfer_rate, read.state_before.arrays[0].done) == (2_666_000_000, 0.31)


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"numa_nodes": [{"threads": -1}]}, "/environment/numa_nodes/0/threads"),
        ({"numa_nodes": [{"cpus": 4}]}, "/environment/numa_nodes/0/cpus"),
        ({"memory": {"total": 1, "modules": [{"size": 1}]}}, "/environment/memory/modules/0/count"),
        ({"contradictions": [{**NEW["contradictions"][0], "kept": "both"}]}, "/environment/contradictions/0/kept"),
        ({"contradictions": [{**NEW["contradictions"][0], "detected": []}]}, "/environment/contradictions/0/detected"),
    ],
)
def test_each_is_checked(fields: dict[str, Any], pointer: str) -> None:
    assert list(places_of(with_environment(**fields))) == [pointer]


def test_more_than_all_cannot_be_done() -> None:
    found = document(state_before={"arrays": [{"kind": "raid", "state": None, "done": 1.5}]})
    assert list(places_of(found)) == ["/state_before/arrays/0/done"]
