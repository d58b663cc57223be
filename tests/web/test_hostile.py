"""Randomly changed documents: every page of a document that the contract accepts can be shown."""

import copy
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchdb.ingest.contract import FaultyDocument, validate
from benchdb.runs.store.summaries import compute_summaries
from tests.conftest import Upload
from tests.support.documents import document, encoded, result, uuid7
from tests.support.html import Page, read
from tests.support.mutations import walk

PAGES = ("/runs/{0}/", "/runs/{0}/results/0/", "/runs/", "/compare/?run={0}", "/compare/table.csv?run={0}")
COMPONENTS = ("/file-systems/", "/kernels/", "/disks/", "/raid/", "/tools/")  # the facts of a run lead there
GONE = object()
CHANGES = [
    *(GONE, GONE, None, None, [], {}, True, False, 0, 1, -1, 2**31, 2**53 + 1, 2**63 - 1, 0.0, 5e-324, 1e18, 1.7e308),
    *(
        "a\u202eb",
        "x",
        "<script>alert(1)</script>",
        "é" * 200,
        "a/b~c",
        "raid",
        "none",
        "+1",
        "run",
        "latency_p99",
        "elapsed",
        "s",
    ),
    *("a\u202eb", ["<b>"], {"<b>": "</script>"}, {"x": None}, [None, None, None], [0, 0, 0], [1e300, 1e-300, 0]),
]


@pytest.fixture(autouse=True)
def no_limit(settings: Any) -> None:
    settings.UPLOAD_RATE = "1000000/d"


@st.composite
def accepted(draw: st.DrawFn) -> dict[str, Any]:
    """A document with several changes, each kept if the contract accepts it."""
    results = [result([1e6 * (i + 1)] * 3, test, file_size=1 << 20) for i, test in enumerate(("write", "read"))]
    sent = draw(st.sampled_from([document(), document(results=results, rounds=3)]))
    for _ in range(draw(st.integers(1, 12))):
        *path, last = draw(st.sampled_from([path_ for path_ in walk(sent) if path_[0] != "run_id"]))
        changed = copy.deepcopy(sent)
        parent = changed
        for part in path:
            parent = parent[part]
        if (value := draw(st.sampled_from(CHANGES))) is GONE:
            del parent[last]
        else:
            parent[last] = value
        try:
            validate(encoded(changed))
        except FaultyDocument:
            continue
        sent = changed
    return sent | {"run_id": str(uuid7())}


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(sent=accepted())
def test_what_is_stored_can_be_shown(upload: Upload, ada: Client, sent: dict[str, Any]) -> None:
    with transaction.atomic():
        assert upload(sent).status_code == 201
        compute_summaries(UUID(sent["run_id"]))
        pages: dict[str, Page] = {}
        for address in PAGES:
            shown = ada.get(address.format(sent["run_id"]))
            assert shown.status_code == 200, (address, shown.content[:1000])
            assert "\u202e".encode() not in shown.content, address
            if "csv" not in address:
                pages[address] = read(shown)
        for href in pages[PAGES[0]].links.values():
            if href.startswith(COMPONENTS):
                read(ada.get(href))
        transaction.set_rollback(True)
