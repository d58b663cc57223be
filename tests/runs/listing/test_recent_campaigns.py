"""The newest campaigns: nobody holds the first places of the home page."""

from django.contrib.auth.models import User

from benchdb.runs.listing.recent_campaigns import MOST_OF_ONE, recent_campaigns
from benchdb.runs.models import Run
from tests.support.comparing.comparisons import campaign, compared_document, compared_runs
from tests.support.store import make_user, store_run


def test_of_one_account_only_the_newest_come_before_others(owner: User) -> None:
    other = compared_runs(make_user("bob"))[0].campaign_id
    own = [compared_runs(owner)[0].campaign_id for _ in range(MOST_OF_ONE + 2)]

    assert [each.campaign for each in recent_campaigns(Run.objects.all(), None)] == [
        *own[::-1][:MOST_OF_ONE],
        other,
        *own[::-1][MOST_OF_ONE:],
    ]


def test_an_id_of_the_future_is_not_the_newest(owner: User) -> None:
    shared = campaign()
    for number, name in enumerate(("ext4", "xfs")):
        late = f"7fffffff-ffff-7fff-8fff-{number:012}"
        store_run(owner, {**compared_document(name, 1e8, campaign=shared, visibility="public"), "run_id": late})
    now = compared_runs(owner)[0].campaign_id

    assert [each.campaign for each in recent_campaigns(Run.objects.all(), None)] == [now]
