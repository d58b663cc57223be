"""The page of a campaign that repeats another. Views parse, call and render."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from benchdb.facts.options import settings_value
from benchdb.http.rendering import render_page
from benchdb.wording.formulas import write_csv

from .content import StoredQuantityPlace, StoredRatio, StoredReproduction
from .models import Reproduction
from .page import reproduction_page
from .reading import reproduction


@require_safe
def page(request: HttpRequest, campaign_id: UUID, original_id: UUID) -> HttpResponse:
    """Whether a campaign shows what the original showed, conclusion by conclusion."""
    pair = _pair(request, campaign_id, original_id)
    return render_page(request, "reproductions/reproduction.html", reproduction_page(pair))


@require_safe
def csv_file(request: HttpRequest, campaign_id: UUID, original_id: UUID) -> HttpResponse:
    """The same as CSV."""
    pair = _pair(request, campaign_id, original_id)
    headers = {"Content-Disposition": f'attachment; filename="reproduction-{pair.repetition_id}.csv"'}
    return HttpResponse(as_csv(pair), content_type="text/csv; charset=utf-8", headers=headers)


def _pair(request: HttpRequest, campaign_id: UUID, original_id: UUID) -> Reproduction:
    pair = reproduction(campaign_id, original_id, request.user)
    if pair is None:
        raise Http404
    return pair


COLUMNS = (
    *("kind", "target", "baseline", "workload", "test", "metric", "file_size", "record_size", "threads", "params"),
    *("verdict", "verdict_again", "original_ratio", "original_low", "original_high"),
    *("repetition_ratio", "repetition_low", "repetition_high", "change", "change_low", "change_high"),
    *("answer", "reason"),
)
Row = list[str | int | float | None]


def as_csv(pair: Reproduction) -> bytes:
    """A line for each conclusion, then for each figure; `change` is repetition ÷ original. Sizes are bytes."""
    text = StringIO()
    write_csv(text, [COLUMNS, *_rows(pair.content)])
    return text.getvalue().encode()


def _rows(content: StoredReproduction) -> Iterator[Row]:
    for each in content["conclusions"]:
        ratios = [*_ratio(each["original"]), *_ratio(each["repetition"]), *_ratio(each["change"])]
        verdicts = [each["verdict"], each["verdict_again"]]
        yield ["conclusion", *_place(each, each["baseline"]), *verdicts, *ratios, each["answer"], each["reason"]]
    for figure in content["figures"]:
        empty: Row = [None] * 8
        yield [
            "figure",
            *_place(figure, None),
            *empty,
            *_ratio(figure["change"]),
            figure["answer"],
            figure["reason"],
        ]


def _place(row: StoredQuantityPlace, baseline: str | None) -> Row:
    sizes = [row["file_size"], row["record_size"], row["threads"]]
    return [row["target"], baseline, row["workload"], row["test"], row["metric"], *sizes, settings_value(row["params"])]


def _ratio(ratio: StoredRatio) -> Row:
    return [ratio["ratio"], ratio["low"], ratio["high"]]
