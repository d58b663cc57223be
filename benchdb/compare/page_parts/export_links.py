"""Links to the files of a comparison, one a format."""

from __future__ import annotations

from collections.abc import Callable

from benchdb.compare.content import Context

# The formats of benchdb.exports, which imports this app and so cannot be imported here.
FORMATS = ("json", "csv", "tsv", "md", "html", "tex", "bb", "svg", "png", "pdf")
NAMES = {"tex": "TeX", "bb": "BBCode"}  # the others are named after their suffix
QUICK = ("csv", "md", "tex", "png")  # beside the title; the others are in a menu
SHAPES = {"wide": "a line a row of the table", "long": "a line a value"}  # of CSV, besides a line a cell
HINTS = {
    "json": "everything, for programs",
    "csv": "a line a cell, for spreadsheets and R",
    "tsv": "as CSV, with tabs",
    "md": "for issues, wikis and READMEs",
    "html": "for web pages",
    "tex": "for papers, with booktabs",
    "bb": "for forums",
    "svg": "a picture",
    "png": "a picture",
    "pdf": "a picture",
}


def export_links(address: Callable[[str], str]) -> list[Context]:
    """Links to every format, each with its use; `address` returns the address of a format."""
    links = []
    for form in FORMATS:
        href = address(form)
        links.append({"text": name_of(form), "href": href, "hint": HINTS[form], "quick": form in QUICK})
        if form == "csv":
            joint = "&" if "?" in href else "?"
            links += [
                {"text": f"CSV {shape}", "href": f"{href}{joint}shape={shape}", "hint": hint, "quick": False}
                for shape, hint in SHAPES.items()
            ]
    return links


def name_of(form: str) -> str:
    """`CSV`, `TeX`: the name of a format on pages."""
    return NAMES.get(form, form.upper())
