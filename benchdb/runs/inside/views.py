"""The page inside a run, and its files. Views parse, call and render."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from benchdb.http.rendering import render_page
from benchdb.runs.costs import before_samples
from benchdb.runs.models import Run
from benchdb.runs.store.round_series import ReadSeries, series_of_round
from benchdb.runs.views import deleted, visible_run
from benchdb.wording.colours import SERIES
from benchdb.wording.formulas import Figure, TextFile
from benchdb.wording.formulas import write_csv as write_lines

from .chart import Line
from .page import inside_page

MOST_DIGITS = 6  # of the number of a round
_TIME = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")


@require_safe
def inside(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """The series of one round as small charts on one time axis."""
    run = visible_run(request, run_id)
    if run is None:
        return deleted(request, run_id)
    page = inside_page(run, _chosen(request), _seconds(request, "from"), _seconds(request, "to"))
    if page is None:
        raise Http404
    return render_page(request, "runs/inside.html", page)


@require_safe
def inside_data(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """The series of one round as CSV; of the first one without a choice."""
    run = visible_run(request, run_id)
    if run is None:
        return deleted(request, run_id)
    number = _chosen(request) or 1
    series = series_of_round(run.pk, number - 1)
    if not series:
        raise Http404
    before_samples(sum(len(each.points) for each in series))
    answer = HttpResponse(content_type="text/csv; charset=utf-8", headers=_headers(run, number, "csv"))
    write_csv(series, answer)
    return answer


@require_safe
def inside_picture(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """The charts of one round as SVG, with the means of the chosen span; of the first one without a choice."""
    run = visible_run(request, run_id)
    if run is None:
        return deleted(request, run_id)
    number = _chosen(request) or 1
    page = inside_page(run, number, _seconds(request, "from"), _seconds(request, "to"))
    if page is None or not page["charts"]:
        raise Http404
    return HttpResponse(as_svg(page), content_type="image/svg+xml; charset=utf-8", headers=_headers(run, number, "svg"))


def _headers(run: Run, number: int, extension: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{run.pk}-round-{number}.{extension}"'}


def _seconds(request: HttpRequest, name: str) -> float | None:
    """A time in the query; None if it is missing or empty. Raises Http404."""
    text = request.GET.get(name, "")
    if not text:
        return None
    if not _TIME.fullmatch(text):
        raise Http404
    return float(text)


def _chosen(request: HttpRequest) -> int | None:
    """The round in the query, counted from 1; None without one. Raises Http404."""
    text = request.GET.get("round")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise Http404
    return int(text)


def write_csv(series: Sequence[ReadSeries], file: TextFile) -> None:
    """Write the samples in base units, in long form, because series of a tool have times of their own."""
    write_lines(file, _lines(series))


def _lines(series: Sequence[ReadSeries]) -> Iterator[list[Figure]]:
    yield ["seconds", "name", "test", "unit", "kind", "value", "source", "device"]
    for each in series:
        kind = "sum" if each.grows else "level"
        for number, value in enumerate(each.points.tolist(), start=1):
            time = round(each.start + number * each.step, 6)
            yield [time, each.name, each.test or "", each.unit, kind, value, each.source, each.device or ""]


_TITLE, _LEGEND, _PLOT, _GAP = 60, 16, 80, 26  # pixels: the title, a line of a legend, a plot, what is between charts
_HEAD, _TOP, _TIMES = 18, 14, 18  # the heading of a chart, the figure at its upper end, its times
_IN_A_LINE = 3  # names of a legend
_COLUMN = 240  # pixels of such a name


def as_svg(page: Mapping[str, Any]) -> str:
    """The charts below each other, each as on the page, with the tests above them."""
    tests = [Line(each.phase.label, each.phase.series, "", each.phase.times) for each in page["phases"]]
    names, y = _names(tests, _TITLE)
    drawn: list[dict[str, object]] = []
    for chart in page["charts"]:
        y += _GAP
        of_chart, end = _names(chart.lines, y + _HEAD)
        # A chart with the places of its heading, its upper end, its plot and its times in pixels from the
        # top.
        drawn.append(
            {
                "chart": chart,
                "heading": y,
                "names": of_chart,
                "top": end + _TOP - 4,
                "plot": end + _TOP,
                "times": end + _TOP + _PLOT + _TIMES - 4,
            }
        )
        y = end + _TOP + _PLOT + _TIMES
    context = {
        "page": page,
        "tests": names,
        "charts": drawn,
        "plot_height": _PLOT,
        "height": y + _GAP + 10,
        "colours": list(enumerate(SERIES, 1)),
    }
    return render_to_string("runs/inside.svg", context)


def _names(lines: Sequence[Line], top: int) -> tuple[list[dict[str, object]], int]:
    """A legend from `top` on, and its lower end."""
    names = [
        {
            "x": 16 + _COLUMN * (i % _IN_A_LINE),
            "y": top + _LEGEND * (i // _IN_A_LINE),
            "text": line.label,
            "figure": line.mean,
            "series": line.series,
        }
        for i, line in enumerate(lines)
    ]
    return names, top + _LEGEND * -(-len(lines) // _IN_A_LINE)
