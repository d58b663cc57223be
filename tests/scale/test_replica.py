"""Pages from a streaming replica: everybody reads from it, writers see their changes, and revocations apply to all.

Each test pauses the replica (`pg_wal_replay_pause`), the greatest possible delay.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.scale.site import ANYBODY, Site, sign_in, site
from tests.support.documents import Section, document
from tests.support.waiting import wait_until

BEHIND = b"benchdb_replica_behind_bytes"
pytestmark = pytest.mark.django_db  # whose tables are copied


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: Any) -> Iterator[Site]:
    with django_db_blocker.unblock(), site(tmp_path_factory.mktemp("site")) as made:
        yield made


@pytest.fixture
def stored(here: Site) -> str:
    """A public run on the replica, which pages read."""
    run = here.agent.upload(here.patient, public())
    # Pages may still come from the primary, because the previous test left the replica behind.
    wait_until(lambda: here.replica.ask(f"SELECT count(*) FROM runs_run WHERE id = '{run}'", "benchdb") == 1)
    wait_until(lambda: ANYBODY.sees(here.patient, run))
    return run


def public() -> Section:
    return document(visibility="public")


def test_everybody_reads_from_the_replica_and_who_wrote_from_the_primary(here: Site, stored: str) -> None:
    with here.replica.behind():
        new = here.agent.upload(here.strict, public())

        # The agent's owner sees the run in a browser on both web servers.
        assert here.person.sees(here.strict, new)
        assert here.person.sees(here.patient, new)
        # Others do not yet, because their pages come from the replica.
        assert not ANYBODY.sees(here.patient, new)
        assert ANYBODY.sees(here.patient, stored)
        # A reader with the address finds the run, although the replica lacks it.
        assert ANYBODY.ask(here.patient, f"runs/{new}/")[0] == 200
        assert ANYBODY.ask(here.patient, f"api/v1/runs/{new}")[0] == 200

    wait_until(lambda: ANYBODY.sees(here.patient, new))


def test_what_was_taken_back_is_gone_for_everybody_at_once(here: Site, stored: str) -> None:
    with here.replica.behind():
        assert ANYBODY.sees(here.patient, stored)

        assert here.agent.ask(here.strict, f"api/v1/runs/{stored}", "DELETE")[0] == 204

        assert not ANYBODY.sees(here.patient, stored)
        assert ANYBODY.ask(here.patient, f"runs/{stored}/")[0] == 410


def test_who_signs_in_is_signed_in_on_every_server_at_once(here: Site, stored: str) -> None:
    with here.replica.behind():
        assert ANYBODY.sees(here.patient, stored)

        ada = sign_in(here.strict)

        assert "Sign out" in ada.ask(here.patient, "account/")[1]


def test_a_replica_that_is_too_far_behind_is_not_read_from(here: Site, stored: str) -> None:
    with here.replica.behind():
        new = here.agent.upload(here.patient, public())

        wait_until(lambda: ANYBODY.sees(here.strict, new))  # more than a second behind
        assert not ANYBODY.sees(here.patient, new)


def test_a_replica_that_hangs_is_not_read_from(here: Site, stored: str) -> None:
    assert ANYBODY.sees(here.patient, stored)
    with here.replica.hanging():
        new = here.agent.upload(here.patient, public())

        assert ANYBODY.sees(here.patient, new)
        assert ANYBODY.ask(here.patient, f"runs/{stored}/")[0] == 200
        assert BEHIND not in here.patient.request("metrics")[1]

    wait_until(lambda: BEHIND in here.patient.request("metrics")[1])


def test_a_server_that_was_promoted_is_a_replica_no_more(here: Site, stored: str) -> None:
    assert BEHIND in here.patient.request("metrics")[1]

    assert here.replica.ask("SELECT pg_promote()")
    new = here.agent.upload(here.patient, public())

    wait_until(lambda: ANYBODY.sees(here.patient, new))
    assert BEHIND not in here.patient.request("metrics")[1]
