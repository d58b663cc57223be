"""The menus above a comparison: three groups, the exchange of rows and columns, and the way out of a single row."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.support.comparing.comparisons import compared_runs, ids
from tests.support.html import Page, read


def page_of(client: Client, address: str) -> Page:
    return read(client.get(address, follow=True))


@pytest.fixture
def address(owner: User) -> str:
    return f"/compare/?{ids(compared_runs(owner))}"


def test_fields_are_in_three_groups(client: Client, address: str) -> None:
    groups = [found["aria-label"] for _, found in page_of(client, address).elements if found.get("role") == "group"]
    assert groups[:3] == ["what", "layout", "display"]


def test_rows_and_columns_exchanged_compare_the_same_and_exchanged_again_are_the_first_table(
    client: Client, address: str
) -> None:
    first = page_of(client, address)
    turned = page_of(client, first.links["⇄ Exchange rows and columns"])
    again = page_of(client, turned.links["⇄ Exchange rows and columns"])

    shown, exchanged = first.values("comparison"), turned.values("comparison")
    texts = {(row.split(" ")[0], head.split(" ")[0]): cell.text for (_, row, head), cell in shown.items()}
    assert {(head.split(" ")[0], row): cell.text for (_, row, head), cell in exchanged.items()} == texts
    assert {key: cell.text for key, cell in again.values("comparison").items()} == {
        key: cell.text for key, cell in shown.items()
    }


def test_a_single_row_leads_back_to_all_and_to_other_runs(client: Client, address: str) -> None:
    alone = page_of(client, f"{address}&file_system=xfs")
    whole = page_of(client, alone.links["Show all 3 (file system)"])

    assert "Nothing is compared: the table has one file system." in alone.text
    assert alone.links["Choose more runs"] == "/runs/"
    assert {row for _, row, _ in whole.values("comparison")} == {"ext4 baseline", "xfs", "btrfs"}
    assert "Nothing is compared" not in whole.text
