"""Users, tokens and stored runs to test with, made through the same services that the server uses."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.models import User
from django.db.models import F

from benchdb.ingest.models import Scope, Token
from benchdb.ingest.services import store_for
from benchdb.ingest.tokens import create_token
from benchdb.runs.models import Run, RunState, Summary, Visibility
from benchdb.runs.store.results import merged_results, stored_results
from benchdb.runs.store.summaries import compute_summaries, compute_taken
from benchdb.runs.store.waiting_runs import take_next
from benchdb.stats import STATISTICS_VERSION
from tests.support.documents import document, encoded

PREVIOUS = STATISTICS_VERSION - 1


class QuickHasher(PBKDF2PasswordHasher):
    """The servers' passwords, without the third of a second that each of them takes by design."""

    iterations = 1


def make_user(name: str, **fields: Any) -> User:
    """A user who cannot sign in with a password; `client.force_login(user)` signs in."""
    return User.objects.create_user(name, **fields)


def make_token(owner: User, *scopes: Scope, **fields: Any) -> tuple[Token, str]:
    """A token and its secret; without scopes it may upload."""
    return create_token(owner, "agent", scopes or (Scope.UPLOAD,), **fields)


def id_of(secret: str) -> int:
    """The id of the token with this secret."""
    return Token.objects.matching(secret).get().pk


def store_run(
    owner: User,
    content: dict[str, Any] | None = None,
    *,
    visibility: str = "public",
    sent_with: int | None = None,
    **sections: Any,
) -> Run:
    """Store a document (see `documents.document` for `sections`) and compute its statistics, as a worker would.

    The token with the id `sent_with` may delete it.
    """
    content = document(visibility=visibility, **sections) if content is None else content
    run_id = UUID(content["run_id"])
    store_for(owner, Visibility(visibility), run_id, encoded(content), sent_with=sent_with)
    compute_summaries(run_id)
    return Run.objects.with_context().get(pk=run_id)


def compute_waiting() -> None:
    """Compute the statistics of all runs that wait, as a worker does with its messages."""
    while (run_id := take_next()) is not None:
        compute_taken(run_id)


def stored_rows(run_id: UUID, parse: int) -> list[dict[str, Any]]:
    """The results of a parse in order: the fields of `MergedResult`, `ordinal` and `given`."""
    ordinals, columns = stored_results(run_id, parse)
    rows = zip(ordinals.tolist(), merged_results(columns), columns.given, strict=True)
    return [{**vars(row), "ordinal": ordinal, "given": given} for ordinal, row, given in rows]


def computed_before(runs: Iterable[Run], version: int = PREVIOUS) -> None:
    """Let runs be as directly after an upgrade: with summaries of an older version, with means 1 % greater."""
    ids = [run.pk for run in runs]
    older = {name: F(name) * 1.01 for name in ("mean", "mean_low", "mean_high")}
    Summary.objects.filter(run__in=ids).update(statistics_version=version, **older)
    RunState.objects.filter(pk__in=ids).update(statistics_version=version)
