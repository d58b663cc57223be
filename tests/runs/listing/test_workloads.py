"""The workload of a run in the list, and its name in the tray."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client

from tests.runs.listing.test_table import listed
from tests.support.store import store_run


def test_a_row_begins_with_what_tells_it_from_its_neighbours(client: Client, owner: User) -> None:
    for sync in ("none", "dsync"):
        parameters = {"directory": "/mnt/test", "record_sizes": [65536], "repetitions": 1, "sync": sync}
        command = ["fsload", "sweep", "--directory", "/mnt/test", "--repetitions", "1", "--sync", sync]
        store_run(
            owner, workload={"tool": "fsload", "tool_version": None, "command": command, "parameters": parameters}
        )
    store_run(owner, workload={"tool": "iozone", "tool_version": None, "command": ["iozone", "-a"], "parameters": {}})

    page = listed(client)

    assert [row[0].text for row in page.tables["Runs"][1:]] == [
        "iozone -a",
        "fsload sync dsync · record sizes 64 KiB",
        "fsload sync none · record sizes 64 KiB",
    ]
    labels = [run["label"] for run in client.get("/runs/all.json").json()["runs"]]
    assert labels == [
        "iozone on ext4, epyc-2",
        "fsload on ext4, sync dsync, epyc-2",
        "fsload on ext4, sync none, epyc-2",
    ]
