"""`manage.py load_publications`: idempotent, and a corrected file replaces only the changed runs."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from benchdb.compare.guard import differences
from benchdb.compare.query.selection import Selection
from benchdb.publications.data_files import DATA, read
from benchdb.publications.models import Publication
from benchdb.publications.services import CORRECTED, OWNER, load
from benchdb.runs.models import Run, RunState, State
from benchdb.runs.services import delete_run
from tests.support.html import read as page_of

SLUG = "ffsb-2007"
pytestmark = pytest.mark.django_db


def corrected(before: str, after: str) -> str:
    text = (DATA / f"{SLUG}.toml").read_text()
    assert text.count(before) == 1
    return text.replace(before, after)


def command(*slugs: str) -> str:
    output = StringIO()
    call_command("load_publications", *slugs, stdout=output)
    return output.getvalue()


def test_stores_public_runs_with_statistics_of_a_user_who_cannot_sign_in() -> None:
    loaded = load(read(SLUG))

    states = RunState.objects.select_related("owner")
    assert (loaded.new, loaded.kept, loaded.withdrawn) == (3, 0, 0)
    assert [state.state for state in states] == [State.READY] * 3
    assert {(state.owner.username, state.visibility) for state in states} == {(OWNER, "public")}
    assert not states[0].owner.has_usable_password()
    assert list(loaded.publication.published_runs.values_list("key", flat=True)) == ["ext3", "ext4", "xfs"]


def test_facts_are_published_and_what_is_not_said_is_unknown() -> None:
    load(read(SLUG))

    run = Run.objects.with_context().get(target__file_system="ext4")
    assert (run.environment.memory, run.environment.facts["provenance"]["/memory"]) == (2 << 30, "published")
    assert (run.environment.os_name, run.target.disk_model, run.target.facts["read_ahead"]) == (None, None, None)


def test_loading_twice_changes_nothing() -> None:
    load(read(SLUG))
    before = list(RunState.objects.order_by("pk").values())

    again = load(read(SLUG))

    assert (again.new, again.kept, again.withdrawn) == (0, 3, 0)
    assert list(RunState.objects.order_by("pk").values()) == before
    assert Publication.objects.count() == 1


def test_a_corrected_figure_is_a_new_run_and_the_old_one_is_withdrawn() -> None:
    load(read(SLUG))
    old = Run.objects.get(target__file_system="ext3")

    loaded = load(read(SLUG, corrected('"32.7"', '"32.6"')))

    assert (loaded.new, loaded.kept, loaded.withdrawn) == (1, 2, 1)
    assert RunState.objects.get(run=old).withdrawn_reason == CORRECTED
    assert old not in loaded.publication.runs.all()
    assert loaded.publication.runs.count() == 3


def test_a_correction_that_is_taken_back_lets_the_first_run_count_again() -> None:
    load(read(SLUG))
    load(read(SLUG, corrected('"32.7"', '"32.6"')))

    loaded = load(read(SLUG))

    assert (loaded.new, loaded.kept, loaded.withdrawn) == (0, 3, 1)
    assert not loaded.publication.runs.filter(runstate__withdrawn_at__isnull=False).exists()


def test_a_run_that_somebody_deleted_stays_deleted() -> None:
    load(read(SLUG))
    delete_run(Run.objects.get(target__file_system="ext3"))

    loaded = load(read(SLUG))

    assert (loaded.new, loaded.deleted) == (0, 1)
    assert loaded.publication.runs.count() == 2


def test_the_command_says_what_it_did() -> None:
    assert command(SLUG) == "ffsb-2007: 3 new\n"
    assert command(SLUG) == "ffsb-2007: 3 there already\n"


def test_the_command_names_the_articles_there_are() -> None:
    with pytest.raises(CommandError, match=r"There is no article nothing; there are .*iozone-2009"):
        command("nothing")


def test_what_the_article_does_not_say_is_null_in_the_api_and_unknown_on_the_page(client: Client) -> None:
    run = load(read("raid-2009")).publication.runs.get(published__key="ext2-fedora10")

    answer = client.get(f"/api/v1/runs/{run.pk}").json()

    assert set(answer["protocol"].values()) == {None}
    assert (answer["started_at"], answer["finished_at"], answer["dated"]) == (None, None, "2009-07-31")
    assert {result["n"] for result in answer["results"]} == {None}
    assert all(result["mean"] is not None for result in answer["results"])
    assert set(answer["target"]["mount"].values()) == {None}
    assert {fact for fact in answer["target"]["file_system"].values() if fact} == {"ext2"}
    assert answer["environment"]["provenance"]["/os"] == "inferred"
    assert answer["extra"]["publication"]["inferred"] == ["/workload/clock_resolution"]
    page = page_of(client.get(run.get_absolute_url()))
    for unknown in ("preparation unknown", "caches unknown", "warm-up unknown", "duration unknown"):
        assert unknown in page.text
    assert "order" not in page.fields


def test_the_guard_says_unknown_where_articles_say_nothing() -> None:
    chosen = (("iozone-2009", "ext4"), ("comparison-2024", "iozone-computer"), ("raid-2009", "ext2-sl5"))
    keys = [load(read(slug)).publication.published_runs.get(key=key).run_id for slug, key in chosen]
    runs = list(Run.objects.with_context().filter(pk__in=keys).order_by("started_at"))

    found = {
        each.label: {value.value for value in each.values} for each in differences(Selection(rows=("machine",)), runs)
    }

    assert found["measured on"] == {
        "unknown, published 2009",
        "unknown, published 31 Jul 2009",
        "unknown, published 2024",
    }
    assert "cache regime" in " ".join(found["not known"])
    for never_said in ("order of rounds", "preparation", "mount options", "warm-up"):
        assert never_said not in found
