"""Simultaneous sharing, deleting and revoking on separate database connections."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from benchdb.compare.content_json import to_json
from benchdb.compare.models import KeptAnswer, Permalink
from benchdb.compare.permalinks import anonymous_page
from benchdb.compare.permalinks.services import find, revoke, share
from benchdb.compare.query.errors import NothingThere
from benchdb.compare.tasks import redact_deleted
from benchdb.runs.models import Run, Tombstone
from benchdb.runs.services import delete_run
from tests.support.comparing.comparisons import compared_runs, ids
from tests.support.store import make_user
from tests.support.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ada() -> User:
    return make_user("ada")


def test_the_same_shared_at_once_is_one_permalink(ada: User) -> None:
    query = ids(compared_runs(ada))

    made = at_once([lambda: share(ada, "table", query)] * 4)

    assert len({link.id for link, _ in made}) == 1
    assert sorted(new for _, new in made) == [False, False, False, True]
    assert Permalink.objects.count() == 1


def attempt(owner: User, query: str) -> str | None:
    try:
        return share(owner, "table", query)[0].id
    except NothingThere:
        return None


def test_no_figure_of_a_deleted_run_survives_a_share_at_that_moment(ada: User) -> None:
    ended = set()
    for turn in range(8):
        keeping, going = compared_runs(ada, {"ext4": 1e8, "xfs": 123456789.0 + turn})

        query, run_id = ids([keeping, going]), going.id

        made, _ = at_once([lambda query=query: attempt(ada, query), lambda run=going: delete_run(run)])

        ended.add(made is None)
        if made is not None:
            link = find(made)
            assert link is not None
            # Its results may be deleted between two queries; then the table was made without the run.
            assert link.deleted == [run for run in link.runs if run == run_id]
            assert str(run_id) not in json.dumps(to_json(link.shown))
            assert redact_deleted() == 1
            assert not leaks(run_id)
        else:
            redact_deleted()
            assert not Permalink.objects.filter(runs__contains=[run_id]).exists()
    assert ended  # the order of the two depends on the machine


def leaks(run_id: Any) -> bool:
    """Whether the stored permalinks contain anything of a run."""
    return any(str(run_id) in json.dumps(link.content) for link in Permalink.objects.all())


def test_two_runs_of_one_permalink_deleted_and_taken_out_at_once(ada: User) -> None:
    runs = compared_runs(ada)
    link, _ = share(ada, "table", ids(runs))

    at_once([lambda run=run: delete_run(run) for run in runs[:2]])
    at_once([redact_deleted] * 3)

    stored = Permalink.objects.with_runs_now().get(pk=link.pk)
    assert stored.content == to_json(stored.shown)
    assert (stored.content["runs"], stored.remaining) == ([str(runs[2].id)], [runs[2].id])
    assert not any(leaks(run.id) for run in runs[:2])
    assert not Tombstone.objects.filter(redacted_at=None).exists()


def test_revoked_and_shared_again_at_once_is_one_of_both(ada: User) -> None:
    query = ids(compared_runs(ada))
    link, _ = share(ada, "table", query)

    at_once([lambda: revoke(ada, link.id), lambda: share(ada, "table", query)])

    assert Permalink.objects.get().content == link.content


def test_readers_who_render_at_once_keep_one_page(ada: User) -> None:
    link, _ = share(ada, "table", ids(compared_runs(ada)), site="http://testserver")

    at_once([lambda: anonymous_page.prepare(link.id)] * 4)

    assert KeptAnswer.objects.get().name == "page"


def test_no_page_that_is_rendered_while_a_run_is_deleted_stays(ada: User) -> None:
    for turn in range(8):
        runs = compared_runs(ada, {"ext4": 1e8, "xfs": 123456789.0 + turn})
        link, _ = share(ada, "table", ids(runs), site="http://testserver")
        before = find(link.id)
        assert before is not None

        def delete(run: Run = runs[1]) -> None:
            delete_run(run)
            redact_deleted()

        at_once([lambda link=before: anonymous_page.rendered(link, link.site), delete])

        assert not KeptAnswer.objects.filter(permalink=link).exists()
