"""One account does not delay another's work, on a real server with a real worker."""

from tests.agents.formats.texts import golden
from tests.support.documents import document
from tests.support.imports import BONNIE
from tests.support.waiting import wait_until
from tests.system.server import Server, worker
from tests.system.test_imports import asked, give


def test_the_runs_and_imports_of_one_account_do_not_delay_those_of_another(idle: Server, idle_secret: str) -> None:
    other = idle.manage("token", "eve", "--create-owner")
    many_imports = [give(idle, idle_secret, {"long.txt": long_text(number)})["id"] for number in range(4)]
    one_import = give(idle, other, {"long.txt": long_text(4)})["id"]
    many = [document(visibility="public") for _ in range(6)]
    one = document(visibility="public")
    for sent in many:
        assert idle.upload(sent, idle_secret) == "received"
    assert idle.upload(one, other) == "received"

    with worker(idle, "celery"):  # imports take none of its processes
        for sent in [*many, one]:
            idle.until_ready(sent["run_id"])
        assert {asked(idle, idle_secret, each)["state"] for each in many_imports} == {"reading"}

    runs = _printed(idle, "benchdb.runs.models", "RunState.objects.order_by('changed_at')")
    assert runs.index(one["run_id"]) in (0, 1)
    assert [run_id for run_id in runs if run_id != one["run_id"]][-6:] == [sent["run_id"] for sent in many]

    with worker(idle, "celery-files"):
        wait_until(
            lambda: "reading" not in [asked(idle, idle_secret, each)["state"] for each in many_imports], seconds=120
        )

    assert asked(idle, other, one_import)["state"] == "ready"
    imports = _printed(idle, "benchdb.ingest.models", "Import.objects.exclude(state='stored').order_by('changed_at')")
    assert [imports.index(each) for each in many_imports] == sorted(imports.index(each) for each in many_imports)
    assert imports.index(one_import) < imports.index(many_imports[2])


def test_a_run_is_ready_while_a_thousand_of_another_account_wait(idle: Server, idle_secret: str) -> None:
    other = idle.manage("token", "bob", "--create-owner")
    for _ in range(1000):
        assert idle.upload(document(), idle_secret) == "received"
    small = document(visibility="public")

    with worker(idle, "celery"):
        assert idle.upload(small, other) == "received"
        idle.until_ready(small["run_id"])
        waiting = _printed(idle, "benchdb.runs.models", "RunState.objects.filter(state='received')")

    assert len(waiting) > 500


def long_text(number: int) -> bytes:
    """A text that is read quickly, but too long for a request to read it."""
    return b"\n".join([golden(BONNIE).encode()] * 2 + [b"%d" % number] + [b" " * 100] * 3_000)


def _printed(server: Server, module: str, rows: str) -> list[str]:
    """The keys of these rows."""
    program = f"from {module} import *; print(*{rows}.values_list('pk', flat=True))"
    return server.manage("shell", "--verbosity", "0", "-c", program).split()
