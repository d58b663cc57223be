"""Filters of cells: only where a value beats the baseline, loses to it, is undecided or failed."""

from urllib.parse import quote

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.permalinks.services import share
from tests.compare.table.sorting.test_sorted_rows import page_of
from tests.support.comparing.comparisons import campaign, compared_runs, ids, values
from tests.support.documents import GIB, MIB, result
from tests.support.html import Page, read
from tests.support.store import store_run

BETTER = "xfs faster than ext4"


def lines(page: Page) -> list[list[str]]:
    """The head and the rows of the comparison, without what stands below their labels."""
    return [[cell.text.split(" ")[0] for cell in row] for row in page.tables["comparison"]]


def mixed_runs(owner: User) -> str:
    """xfs is faster than ext4 in writes and slower in reads, btrfs has failed in reads."""
    shared = campaign()
    for name, write, read_ in (("ext4", 100, 100), ("xfs", 150, 50), ("btrfs", 100, None)):
        of_read = values(read_ * MIB) if read_ else [None] * 6
        failed = {} if read_ else {"status": "failed", "error": "Input/output error"}
        found = [result(values(write * MIB), "write", file_size=GIB), result(of_read, "read", file_size=GIB, **failed)]
        store_run(owner, file_system=name, rounds=6, results=found, campaign=shared)
    return f"campaign={shared['id']}"


def test_only_the_cells_in_which_one_beats_the_other(client: Client, owner: User) -> None:
    every = read(client.get(f"/compare/?{(query := mixed_runs(owner))}&baseline=ext4"))

    won, lost, failed = (read(client.get(every.links[name])) for name in (BETTER, "xfs slower than ext4", "failed"))

    assert lines(won) == [["File", "Write"], ["xfs", "150.00"], ["ext4", "100.00"]]
    assert lines(lost) == [["File", "Read"], ["xfs", "50.00"], ["ext4", "100.00"]]
    assert [row[0] for row in lines(failed)] == ["File", "ext4", "btrfs"]
    assert won.links[f"{BETTER} ✕ : show all cells"] == every.links[BETTER].partition("&show=")[0]
    turned = f"/compare/?{query}&baseline=ext4&factor=file_system&rows=test&columns=file_system&show=better:xfs"
    assert lines(read(client.get(turned))) == [["Test", "ext4", "xfs"], ["Write", "100.00", "150.00"]]


def test_a_filter_stays_with_other_choices_and_in_permalinks(client: Client, owner: User) -> None:
    runs = compared_runs(owner)
    page = page_of(client, runs, show="better:xfs")

    assert page.links["Show rounds"].endswith("&show=rounds&show=better%3Axfs")
    assert page.fields["show"] == ["better:xfs", "better:xfs"]
    link, _ = share(owner, "table", ids(runs))
    frozen = read(client.get(link.get_absolute_url()))
    assert lines(read(client.get(frozen.links[BETTER]))) == lines(page)
    assert [row[0] for row in lines(page)] == ["File", "xfs", "ext4"]


@pytest.mark.parametrize("name", ["better:zfs", "better", "none:", "worse:<script>", "better:" + "x" * 400, "\x00"])
def test_what_no_cell_passes_shows_all(client: Client, owner: User, name: str) -> None:
    answer = client.get(f"/compare/?{ids(compared_runs(owner))}&show={quote(name)}")

    assert [row[0] for row in lines(read(answer))] == ["File", "xfs", "btrfs", "ext4"]
