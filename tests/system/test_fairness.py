"""One account does not delay another's work, on a real server with a real worker."""

from __future__ import annotations

from tests.support.documents import large_document
from tests.system.server import Server, worker


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

    ended = _in_order_of_their_end(idle)
    assert ended.index(one["run_id"]) in (0, 1)
    assert [run_id for run_id in ended if run_id != one["run_id"]][-6:] == [sent["run_id"] for sent in many]


def _in_order_of_their_end(server: Server) -> list[str]:
    """The ids of all runs, as their statistics were finished."""
    ids = "RunState.objects.order_by('changed_at').values_list('pk', flat=True)"
    program = f"from benchdb.runs.models import RunState; print(*{ids})"
    return server.manage("shell", "--verbosity", "0", "-c", program).split()
