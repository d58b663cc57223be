"""Form fields with many choices."""

from __future__ import annotations

from benchdb.runs.listing.filter_panel import FacetOption
from benchdb.web.templatetags.fields import check_boxes
from tests.support.html import parse

HOSTILE = "\"><script>alert('&amp;')</script>"


def test_check_boxes_escape_names_and_values() -> None:
    page = parse(check_boxes([FacetOption(HOSTILE, HOSTILE, "12", chosen=True)], HOSTILE))

    [box] = [attributes for tag, attributes in page.elements if tag == "input"]
    assert (box["name"], box["value"]) == (HOSTILE, HOSTILE)
    assert "checked" in box
    assert {tag for tag, _ in page.elements} == {"label", "input", "span"}
    assert HOSTILE in page.text
