"""What goes with the differences of a shared table: stored with its content, shown, and redacted with its runs."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.content_json import from_json, to_json
from benchdb.compare.models import Permalink
from benchdb.compare.permalinks.services import find, share
from benchdb.compare.table.content import GoesWith, TableContent
from benchdb.compare.tasks import redact_deleted
from benchdb.runs.models import Run
from benchdb.runs.services import delete_run, withdraw
from tests.compare.goes_with.test_page import MORE_FLUSHES, pair, query, side
from tests.support.comparing.sampled import sampled
from tests.support.documents import MIB
from tests.texts import missing_in

pytestmark = pytest.mark.django_db


def three(owner: User, **changed: float) -> list[Run]:
    """A baseline, a slower rival with these totals, and one with none."""
    slower = side(owner, "xfs", 70 * MIB, ("write", "read"), series=sampled(**changed))
    first, third = (side(owner, name, tests=("write", "read"), series=sampled()) for name in ("ext4", "btrfs"))
    return [first, slower, third]


def frozen(owner: User, runs: list[Run]) -> tuple[Permalink, GoesWith | None]:
    link = share(owner, "table", query(runs))[0]
    content = from_json(link.content)
    assert isinstance(content, TableContent)
    return link, content.goes_with


def test_a_shared_table_keeps_what_changed(client: Client, owner: User) -> None:
    link, kept = frozen(owner, three(owner, **MORE_FLUSHES))
    assert kept is not None
    changed, unchanged = kept.pairs
    assert (changed.baseline, changed.rival, changed.work) == ("ext4", "xfs", "byte")
    assert (changed.cells, changed.different, changed.changed) == (2, 2, 4)
    assert [each.name for each in changed.quantities[:2]] == ["device_flushes", "device_writes"]
    assert changed.quantities[0].ratio == pytest.approx(4.1, rel=0.01)
    assert (unchanged.rival, unchanged.cells, unchanged.different, unchanged.quantities) == ("btrfs", 2, 0, [])
    assert kept.left_out == 0

    text = client.get(f"/c/{link.id}/").content.decode()
    assert not missing_in(
        text,
        "These quantities changed with the difference in 2 cells, the most certain change first:",
        "Flushes of the device per MiB requested: 4.1× higher",
        "No sampled quantity changed by more than 5\N{NO-BREAK SPACE}%.",
    )
    assert client.get(f"/c/{link.id}.json").json()["goes_with"]["pairs"][0]["quantities"][0]["name"] == "device_flushes"


def test_the_same_table_has_the_same_address(owner: User) -> None:
    runs = pair(owner, **MORE_FLUSHES)
    assert frozen(owner, runs)[0] == frozen(owner, runs)[0]


def test_tables_without_samples_and_older_contents_have_none(client: Client, owner: User) -> None:
    link, kept = frozen(owner, [side(owner, "ext4"), side(owner, "xfs", 70 * MIB)])
    assert kept is None
    older: dict[str, Any] = {name: value for name, value in link.content.items() if name != "goes_with"}
    assert to_json(from_json(older)) == link.content
    Permalink.objects.filter(pk=link.pk).update(content=older)
    assert "What goes with" not in client.get(f"/c/{link.id}/").content.decode()


def test_it_goes_with_a_deleted_run_and_stays_with_a_withdrawn_one(client: Client, owner: User) -> None:
    runs = three(owner, **MORE_FLUSHES)
    link, _ = frozen(owner, runs)
    withdraw(runs[1], "the disk was failing")
    assert "xfs against ext4" in client.get(f"/c/{link.id}/").content.decode()
    delete_run(Run.objects.get(pk=runs[1].pk))
    assert "xfs against ext4" not in client.get(f"/c/{link.id}/").content.decode()
    redact_deleted()
    left = find(link.id)
    assert left is not None
    assert [each["rival"] for each in left.content["goes_with"]["pairs"]] == ["btrfs"]
    delete_run(Run.objects.get(pk=runs[0].pk))
    assert "What goes with" not in client.get(f"/c/{link.id}/").content.decode()
