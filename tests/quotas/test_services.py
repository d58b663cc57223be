"""What accounts use is counted with each run, and what exceeds a quota is refused as a whole."""

import gzip
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connections

from benchdb.ingest.services import store_for
from benchdb.quotas.limits import Amount, QuotaExceeded
from benchdb.quotas.models import OwnQuota, Usage
from benchdb.quotas.services import used_by
from benchdb.runs.models import Artifact, Run, Visibility
from benchdb.runs.services import delete_run
from tests.conftest import Upload
from tests.support.api import error_of, table_sizes
from tests.support.documents import MIB, Section, document, encoded, round_
from tests.support.imports import BONNIE, IOZONE, begun, given, stored
from tests.support.store import make_user, store_run
from tests.support.threads import at_once


def taken(run: Run) -> Amount:
    """What a stored run takes, from its rows."""
    values = sum(len(result.values or result.singles or []) for result in run.results.all())
    return Amount(1, values, run.runstate.document_bytes)


def test_runs_are_counted_when_they_are_stored_imported_and_deleted(owner: User) -> None:
    sent = document()
    first, second = store_run(owner, sent), store_run(owner)
    imported = stored(begun(owner, *given(IOZONE, BONNIE)))
    runs = [first, second, *Run.objects.filter(pk__in=imported.run_ids)]
    assert len(runs) > 2
    assert (imported.entered, imported.detected, imported.notes) == ({}, None, [])  # which would not count
    machines = Amount(machines=2)  # that of the documents and that of the import, which stay
    assert used_by(owner.pk) == sum(map(taken, runs), machines)
    assert taken(first).value_count > 0
    assert taken(first).document_bytes == len(encoded(sent))
    for run in Run.objects.filter(pk__in=imported.run_ids):
        assert taken(run).document_bytes > sum(Artifact.objects.filter(run=run).values_list("size", flat=True)) > 0

    delete_run(first)
    assert used_by(owner.pk) == sum(map(taken, runs[1:]), machines)


@pytest.mark.parametrize(
    ("quota", "setting", "sentence"),
    [
        ("runs", "1", "The quota of this account for runs is 1; 1 are used, and this would add 1. Delete runs, or ask"),
        ("values", "5", "The quota of this account for values is 5; "),
        ("bytes", "0", "The quota of this account for documents is 0 B; "),
        ("runs", "none/1", "The quota of all accounts together for runs is 1; 1 are used, and this would add 1. Ask"),
        ("values", "none/5", "The quota of all accounts together for values is 5; "),
    ],
)
def test_a_document_beyond_a_quota_is_refused_as_a_whole(
    owner: User, upload: Upload, settings: Any, quota: str, setting: str, sentence: str
) -> None:
    first = document()
    assert upload(first).status_code == 201
    before, sizes = used_by(owner.pk), table_sizes()
    settings.QUOTAS = {**settings.QUOTAS, quota: setting}

    error = error_of(upload(document()), 507)

    assert error["code"] == "quota_exceeded"
    assert f"Nothing was stored. {sentence}" in error["message"]
    of = "site" if "/" in setting else "account"
    assert error["faults"][0]["pointer"] == f"/quota/{of}/{quota}"
    assert (used_by(owner.pk), table_sizes()) == (before, sizes)
    assert upload(first).status_code == 200  # it is stored already


@pytest.mark.parametrize(
    "part",
    [
        {"rounds": [{**round_(0), "evidence": {"kernel_messages": ["x" * 1100] * 1000}}]},
        {
            "rounds": [{**round_(0), "evidence": {"kernel_messages": ["x" * 1015] * 1000}}],  # below it
            "workload": {**document()["workload"], "command": ["iozone", *["x" * 4000] * 15]},
        },
    ],
    ids=["kernel messages", "command line"],
)
def test_every_text_of_a_document_counts(owner: User, upload: Upload, settings: Any, part: Section) -> None:
    """A mebibyte of raw output was the limit of an account that stored 79 MB elsewhere in its documents."""
    settings.QUOTAS = {**settings.QUOTAS, "bytes": "1"}
    body = encoded(sent := {**document(rounds=1), **part})
    assert len(body) > MIB

    refused = upload(sent, body=gzip.compress(body), headers={"Content-Encoding": "gzip"})

    assert error_of(refused, 507)["faults"][0]["pointer"] == "/quota/account/bytes"
    assert used_by(owner.pk) == Amount()


def test_a_quota_of_the_account_replaces_the_one_of_the_settings(owner: User, upload: Upload, settings: Any) -> None:
    settings.QUOTAS = {**settings.QUOTAS, "runs": "0"}
    own = OwnQuota.objects.create(owner=owner, quota="runs", most=1)
    assert upload(document()).status_code == 201
    assert upload(document()).status_code == 507
    OwnQuota.objects.filter(pk=own.pk).update(most=None)
    assert upload(document()).status_code == 201
    with pytest.raises(QuotaExceeded):
        store_run(make_user("eve"))


def test_an_import_beyond_a_quota_stays_and_can_be_stored_later(owner: User, settings: Any) -> None:
    draft = begun(owner, *given(IOZONE))
    settings.QUOTAS = {**settings.QUOTAS, "runs": "0"}
    refused = stored(draft)
    assert (refused.state, Run.objects.count()) == ("ready", 0)
    assert "The quota of this account for runs is 0" in refused.faults[0][1]
    settings.QUOTAS = {**settings.QUOTAS, "runs": None}
    assert stored(refused).state == "stored"


def test_the_files_of_open_imports_count_as_documents(owner: User, settings: Any) -> None:
    begun(owner, *given(IOZONE))
    settings.QUOTAS = {**settings.QUOTAS, "bytes": "0"}
    with pytest.raises(QuotaExceeded, match="The quota of this account for documents is 0 B; "):
        begun(owner, *given(BONNIE))


@pytest.fixture
def three_at_once(transactional_db: None) -> list[str]:
    """The outcomes of three uploads of one account at the same moment, with a quota of one run."""
    owner = make_user("ada")
    OwnQuota.objects.create(owner=owner, quota="runs", most=1)

    def send() -> str:
        sent = document()
        try:
            store_for(owner, Visibility.PUBLIC, UUID(sent["run_id"]), encoded(sent))
        except QuotaExceeded:
            return "refused"
        finally:
            connections.close_all()
        return "stored"

    return at_once([send] * 3)


def test_of_uploads_at_the_same_moment_only_those_within_the_quota_are_stored(three_at_once: list[str]) -> None:
    assert sorted(three_at_once) == ["refused", "refused", "stored"]
    assert (Run.objects.count(), Usage.objects.get().runs) == (1, 1)


def test_recount_repairs_and_says_what_was_wrong(owner: User, capsys: pytest.CaptureFixture[str]) -> None:
    run = store_run(owner)
    right = used_by(owner.pk)
    Usage.objects.filter(owner=owner).update(runs=7, document_bytes=0)
    call_command("recount")
    assert used_by(owner.pk) == right
    assert "ada: 1 runs, " in (printed := capsys.readouterr().out)
    assert "instead of 7 runs, " in printed

    type(run.runstate).objects.update(value_count=0)
    Usage.objects.all().delete()
    call_command("recount", "--values")
    assert used_by(owner.pk) == right
    call_command("recount", "--values")
    assert capsys.readouterr().out.endswith("Everything was right.\n")
