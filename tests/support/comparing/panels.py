"""The panels of a table's cells, requested row by row as the page's script does."""

from typing import Any

from django.test import Client

from tests.support.html import Page


def panel_address(page: Page) -> str:
    """The address on the page at which the server has the panels of a row."""
    (address,) = [str(found["data-address"]) for _, found in page.elements if "data-address" in found]
    return address


def panels_of(client: Client, page: Page) -> dict[str, Any]:
    """All panels of the table on this page by the key of their cells."""
    address = panel_address(page)
    keys = [cell.key for rows in page.tables.values() for row in rows for cell in row if cell.key]
    found: dict[str, Any] = {}
    for row in dict.fromkeys(key[1:].rpartition("-")[0] for key in keys):
        answer = client.get(f"{address}{'&' if '?' in address else '?'}row={row}")
        assert answer.status_code == 200, answer.content
        found |= answer.json()
    return found
