"""The pages of one file of an import: its raw text and all its results."""

from __future__ import annotations

from django.urls import reverse

from benchdb.ingest.models import ImportFile
from benchdb.runs.page.raw_output import nearest_window, page_from
from benchdb.runs.store.pieces import stored_pieces
from benchdb.wording.sizes import say_size

from . import preview


def raw_page(file: ImportFile, first: int) -> dict[str, object]:
    """The raw text of a file, with the lines from `first` on."""
    window = nearest_window(lambda: stored_pieces(ImportFile.objects.filter(pk=file.pk), "content"), first)
    path = reverse("import-raw", args=[file.of_id, file.ordinal])
    return {
        "title": {"parts": ["Import", file.name]},
        "back": reverse("import", args=[file.of_id]),
        "section": "import",
        "parts": "lines",
        "earlier": page_from(path, window.earlier),
        "later": page_from(path, window.later),
        "artifact": {
            "name": file.name,
            "size": say_size(file.size),
            "href": "",
            "page": "",
            "lines": window.lines,
            "count": window.count,
        },
    }


def file_page(file: ImportFile, start: int) -> dict[str, object]:
    """All results of one file, a page at a time."""
    start = min(max(start, 0), max(file.result_count - 1, 0))
    href, end = reverse("import-file", args=[file.of_id, file.ordinal]), start + preview.RESULTS_A_PAGE
    shown = preview.shown_file(file, 0)
    if file.state == "read":
        shown |= {"part": preview.part(file, start, preview.RESULTS_A_PAGE), "hidden": 0}
    return {
        "title": {"parts": ["Import", file.name]},
        "back": reverse("import", args=[file.of_id]),
        "section": "import",
        "parts": "results",
        "shown": f"Results {start + 1} to {min(end, file.result_count)}",
        "earlier": f"{href}?start={max(start - preview.RESULTS_A_PAGE, 0)}" if start else None,
        "later": f"{href}?start={end}" if end < file.result_count else None,
        "file": shown,
    }
