"""One account does not delay another's work, on a real server with a real worker."""

from __future__ import annotations

from tests.support.documents import large_document
from tests.support.waiting import wait_until
from tests.system.server import Server, worker
from tests.system.test_imports import asked, give, long_text


def test_another_accounts_run_is_computed_before_the_many_that_one_account_sent_first(
    idle: Server, idle_secret: str
) -> None:
    other = idle.manage("token", "eve", "--create-owner")
    many = [large_document(visibility="public") for _ in range(6)]
    one = large_document(visibility="public")
    for sent in many:
        assert idle.upload(sent, idle_secret) == "received"
    assert idle.upload(one, other) == "received"

    with worker(idle):
        for sent in [*many, one]:
            idle.until_ready(sent["run_id"])

    ended = _printed(idle, "benchdb.runs.models", "RunState.objects.order_by('changed_at')")
    assert ended.index(one["run_id"]) in (0, 1)
    assert [run_id for run_id in ended if run_id != one["run_id"]][-6:] == [sent["run_id"] for sent in many]


def test_imports_of_one_account_delay_neither_statistics_nor_the_import_of_another(
    idle: Server, idle_secret: str
) -> None:
    other = idle.manage("token", "bob", "--create-owner")
    many = [give(idle, idle_secret, {"long.txt": long_text(number)})["id"] for number in range(4)]
    one = give(idle, other, {"long.txt": long_text(4)})["id"]
    run = large_document(visibility="public")

    with worker(idle, "celery"):  # imports take none of its processes
        idle.upload(run, other)
        idle.until_ready(run["run_id"])
        assert {asked(idle, idle_secret, each)["state"] for each in many} == {"reading"}
    with worker(idle, "celery-files"):
        wait_until(lambda: "reading" not in [asked(idle, idle_secret, each)["state"] for each in many], seconds=300)

    assert asked(idle, other, one)["state"] == "ready"
    order = _printed(idle, "benchdb.ingest.models", "Import.objects.exclude(state='stored').order_by('changed_at')")
    assert [order.index(each) for each in many] == sorted(order.index(each) for each in many)
    assert order.index(one) < order.index(many[2])


def _printed(server: Server, module: str, rows: str) -> list[str]:
    """The keys of these rows."""
    program = f"from {module} import *; print(*{rows}.values_list('pk', flat=True))"
    return server.manage("shell", "--verbosity", "0", "-c", program).split()
