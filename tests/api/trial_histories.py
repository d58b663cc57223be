"""After any history of uploads, computations, withdrawals, deletions and shares, all readers see the right data.

Hypothesis generates the histories and shortens a failing one; `make test-faults` runs BENCHDB_EXAMPLES of them.
"""

import json
import os
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from benchdb.catalog.models import Environment, Target
from benchdb.compare.tasks import redact_deleted
from benchdb.ingest.models import Scope
from benchdb.runs.models import Run, RunState, Summary
from benchdb.runs.store.summaries import compute_summaries
from benchdb.runs.tasks import recompute
from benchdb.stats import STATISTICS_VERSION
from tests.support.comparing.comparisons import campaign, values
from tests.support.documents import GIB, MIB, document, encoded, result
from tests.support.store import computed_before, make_token, make_user

EXAMPLES = int(os.environ.get("BENCHDB_EXAMPLES", "2"))
STEPS = 15
ROUNDS = 3
PEOPLE = ("ada", "eve")
people = st.sampled_from(PEOPLE)
CAMPAIGN = campaign()


@dataclass
class Sent:
    """The expected state of a run."""

    document: dict[str, Any]
    owner: str
    there: bool = True
    computed: bool = False
    withdrawn: str | None = None
    figure: str = ""  # its mean, different for each run

    @property
    def id(self) -> str:
        return str(self.document["run_id"])

    @property
    def file_system(self) -> str:
        return str(self.document["target"]["file_system"]["type"])

    @property
    def visibility(self) -> str:
        return str(self.document["visibility"])

    def visible_to(self, reader: str | None) -> bool:
        return self.there and (self.visibility != "private" or reader == self.owner)


@dataclass
class Frozen:
    """The expected state of a permalink; `first` is its content when it was shared."""

    id: str
    owner: str
    runs: list[Sent]
    first: dict[str, Any] = field(default_factory=dict)
    revoked: bool = False


class Histories(RuleBasedStateMachine):
    """The actions of people and workers, in any order."""

    runs = Bundle("runs")
    links = Bundle("links")

    def __init__(self) -> None:
        super().__init__()
        self.undone = transaction.atomic()
        self.undone.__enter__()
        self.users: dict[str, User] = {name: make_user(name) for name in PEOPLE}
        self.secrets = {name: make_token(user, *Scope)[1] for name, user in self.users.items()}
        self.sent: list[Sent] = []
        self.shared: dict[str, Frozen] = {}

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.undone.__exit__(None, None, None)

    def ask(self, method: str, path: str, reader: str | None, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {self.secrets[reader]}"} if reader else {}
        data = body if isinstance(body, bytes) else json.dumps(body or {})
        return Client(headers=headers).generic(method, path, "" if method == "GET" else data, "application/json")

    def put(self, sent: Sent, by: str, **changed: Any) -> int:
        body = encoded({**sent.document, **changed})
        return int(self.ask("PUT", f"/api/v1/runs/{sent.id}", by, body).status_code)

    @initialize(target=runs, by=people, others=people)
    def begin(self, by: str, others: str) -> Any:
        """Upload a run to withdraw, share and delete."""
        found = [self.upload(who, name, "public") for who, name in ((by, "ext4"), (by, "xfs"), (others, "btrfs"))]
        for sent in found:
            self.compute(sent)
        return multiple(*found)

    @initialize(target=links, by=people, count=st.integers(1, 3))
    def share_some(self, by: str, count: int) -> Any:
        """Share some runs; there are none before `begin`."""
        return self.share(by, self.sent[:count], private=False) if self.sent else multiple()

    @rule(
        target=runs,
        by=people,
        file_system=st.sampled_from(["ext4", "xfs", "btrfs"]),
        visibility=st.sampled_from(["public", "public", "unlisted", "private"]),
    )
    def upload(self, by: str, file_system: str, visibility: str) -> Sent:
        mean = 100 * MIB + 1234567.25 * (len(self.sent) + 1)
        results = [result(values(mean, ROUNDS), file_size=32 * GIB, record_size=MIB)]
        fields = {"campaign": CAMPAIGN, "rounds": ROUNDS, "results": results}
        sent = Sent(document(file_system=file_system, visibility=visibility, artifacts=[], **fields), by)
        assert self.put(sent, by) == 201
        self.sent.append(sent)
        return sent

    @rule(sent=runs)
    def upload_again(self, sent: Sent) -> None:
        assert self.put(sent, sent.owner) == (200 if sent.there else 410)

    @rule(sent=runs, by=people)
    def upload_another_under_its_id(self, sent: Sent, by: str) -> None:
        assert self.put(sent, by, labels={"other": "document"}) == (409 if sent.there else 410)

    @rule(sent=runs)
    def compute(self, sent: Sent) -> None:
        """A worker computes the run, possibly late or more than once."""
        compute_summaries(UUID(sent.id))
        sent.computed = sent.there
        if sent.there:
            summary = Summary.objects.get(
                run=sent.id, statistics_version=STATISTICS_VERSION
            )  # a summary of older statistics may exist too
            sent.figure = json.dumps(summary.mean)

    @rule(sent=runs)
    def upgrade(self, sent: Sent) -> None:
        """Replace the stored statistics with older ones, which a sweep recomputes."""
        if sent.there and sent.computed:
            Summary.objects.filter(run=sent.id, statistics_version__lt=STATISTICS_VERSION).delete()
            computed_before([Run.objects.get(pk=sent.id)])
            recompute([sent.id, *(each.id for each in self.sent if not each.there)])

    @rule(sent=runs, by=people, reason=st.sampled_from(["the disk was failing", "a cable"]))
    def withdraw(self, sent: Sent, by: str, reason: str) -> None:
        status = self.ask("PUT", f"/api/v1/runs/{sent.id}/withdrawal", by, {"reason": reason}).status_code
        assert status == self.allowed(sent, by, 204)
        if status == 204:
            sent.withdrawn = reason

    @rule(sent=runs, by=people)
    def reinstate(self, sent: Sent, by: str) -> None:
        status = self.ask("DELETE", f"/api/v1/runs/{sent.id}/withdrawal", by).status_code
        assert status == self.allowed(sent, by, 204)
        if status == 204:
            sent.withdrawn = None

    @rule(sent=runs, by=people)
    def delete(self, sent: Sent, by: str) -> None:
        status = self.ask("DELETE", f"/api/v1/runs/{sent.id}", by).status_code
        assert status == self.allowed(sent, by, 204)
        sent.there = sent.there and status != 204

    @staticmethod
    def allowed(sent: Sent, by: str, status: int) -> int:
        """The expected status of a request to change a run."""
        if not sent.there:
            return 410
        return status if by == sent.owner else 404

    @rule(target=links, by=people, chosen=st.lists(runs, min_size=1, max_size=3, unique_by=id), private=st.booleans())
    def share(self, by: str, chosen: list[Sent], private: bool) -> Any:
        body = {"query": "&".join(f"run={sent.id}" for sent in chosen), "share_private": private}
        answer = self.ask("POST", "/api/v1/permalinks", by, body)
        seen = [sent for sent in chosen if sent.visible_to(by)]  # a table leaves the others out, and says so
        if not seen:
            assert answer.status_code == 404
        elif not all(sent.computed for sent in seen):
            assert answer.status_code == 422
        elif not private and any(sent.visibility != "public" for sent in seen):
            assert answer.status_code == 409
            assert {fault["value"] for fault in answer.json()["error"]["faults"]} == {
                sent.id for sent in seen if sent.visibility != "public"
            }
        else:
            link = answer.json()["id"]
            assert answer.status_code == (200 if link in self.shared else 201)
            frozen = self.shared.setdefault(link, Frozen(link, by, seen))
            assert {sent.id for sent in frozen.runs} == {sent.id for sent in seen}
            frozen.revoked = False
            frozen.first = frozen.first or self.ask("GET", f"/c/{link}.json", None).json()
            return frozen
        return multiple()

    @rule(link=links, by=people)
    def revoke(self, link: Frozen, by: str) -> None:
        status = self.ask("DELETE", f"/api/v1/permalinks/{link.id}", by).status_code
        assert status == (204 if by == link.owner else 404)
        link.revoked = link.revoked or status == 204

    @rule()
    def redact(self) -> None:
        """The sweep removes deleted runs from stored content, with no visible difference."""
        redact_deleted()

    @invariant()
    def everybody_reads_what_they_may(self) -> None:
        for sent in self.sent:
            for reader in (None, *PEOPLE):
                answer = self.ask("GET", f"/api/v1/runs/{sent.id}", reader)
                expected = 200 if sent.visible_to(reader) else 404 if sent.there else 410
                assert answer.status_code == expected
                if expected == 200:
                    _as_sent(answer.json(), sent)

    @invariant()
    def permalinks_show_what_they_showed_but_for_what_was_deleted(self) -> None:
        for link in self.shared.values():
            answer = self.ask("GET", f"/c/{link.id}.json", None)
            alive, gone = ([sent for sent in link.runs if sent.there is there] for there in (True, False))
            # Runs on the same file system may share a cell, which is empty once any of them is deleted.
            emptied = {sent.file_system for sent in alive} <= {sent.file_system for sent in gone}
            page = self.ask("GET", f"/c/{link.id}/", None)
            assert page.status_code == answer.status_code
            if link.revoked or not alive or (emptied and answer.status_code == 410):
                assert answer.status_code == 410
                continue
            assert answer.status_code == 200
            document, withdrawn = answer.json(), sum(sent.withdrawn is not None for sent in alive)
            assert sum("has withdrawn run" in notice for notice in document.pop("notices", [])) == withdrawn
            if not gone:
                assert document == {key: value for key, value in link.first.items() if key != "notices"}
            for text in (answer.content.decode(), page.content.decode()):
                assert not [sent for sent in gone if sent.id in text or sent.figure in text]
            assert page.content.decode().count("was withdrawn") == withdrawn

    @invariant()
    def nothing_is_left_over(self) -> None:
        assert set(map(str, RunState.objects.values_list("pk", flat=True))) == {
            sent.id for sent in self.sent if sent.there
        }
        assert not Environment.objects.filter(runs=None).exists()
        assert not Target.objects.filter(runs=None).exists()


def _as_sent(read: dict[str, Any], sent: Sent) -> None:
    assert read["state"] == ("ready" if sent.computed else "received")
    assert (read["withdrawn"] or {}).get("reason") == sent.withdrawn
    (found,) = read["results"]
    assert found["values"] == sent.document["results"][0]["values"]
    assert (json.dumps(found["mean"]) if sent.computed else found["mean"] or "") == sent.figure


@pytest.fixture
def no_limits(settings: Any) -> None:
    settings.UPLOAD_RATE = settings.SHARE_RATE = "1000000/d"


def test_any_history_ends_as_it_should(db: None, no_limits: None) -> None:
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        Histories,
        settings=settings(max_examples=EXAMPLES, stateful_step_count=STEPS, suppress_health_check=list(HealthCheck)),
    )
