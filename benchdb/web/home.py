"""The comparison and the permalinks of the home page."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import compress

from django.db.models.fields.json import KT
from django.http import QueryDict
from django.urls import reverse

from benchdb.compare.content_json import current
from benchdb.compare.kinds import KINDS
from benchdb.compare.models import Permalink
from benchdb.compare.page_parts.kept import LeftToWorker
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.table.answer.present import table_answer
from benchdb.compare.table.content import TableContent
from benchdb.compare.table.grid import grid_of
from benchdb.exports.worker_files import Busy, ask_part
from benchdb.http.requests import Reader
from benchdb.http.work import TASK_SECONDS, TooLong, at_most
from benchdb.publications.models import PublishedTable
from benchdb.runs.listing.recent_campaigns import RecentCampaign
from benchdb.runs.quantities.by_tool import figures_by_tool
from benchdb.runs.quantities.reading import MOST_OF_PAGE, quantities_of, smallest

PERMALINKS = 5
MOST_RUNS = 8  # of a campaign whose answer is on the page: a table of them is evaluated for each visit
CANDIDATES = 1000  # newest permalinks among which public ones are searched


def comparison(campaigns: Sequence[RecentCampaign], reader: Reader) -> dict[str, object] | None:
    """The newest small campaign of several file systems among these, if its table has an answer.

    Of a campaign with several tools, the tool with the most figures. One query more than for one tool. Runs of many
    results are left out, and what takes long, so that nobody's runs delay this page.
    """
    small = [
        each
        for each in campaigns
        if "," in each.file_systems and each.runs <= MOST_RUNS and each.results <= MOST_OF_PAGE
    ]
    newest = [each for each in small if each.campaign == small[0].campaign]
    read = [*compress(newest, smallest((each.results for each in newest), MOST_OF_PAGE))]
    with suppress(TooLong), at_most(TASK_SECONDS):
        return _compared(_richest(read), reader) if read else None
    return None


def _richest(campaigns: Sequence[RecentCampaign]) -> RecentCampaign:
    """The runs of the tool with the most figures among the tools of one campaign."""
    if len(campaigns) == 1:
        return campaigns[0]
    figures = figures_by_tool(
        quantities_of((run for each in campaigns for run in each.run_ids), sum(each.results for each in campaigns))
    )
    return max(campaigns, key=lambda each: figures.get(each.tool, 0))


def _compared(campaign: RecentCampaign, reader: Reader) -> dict[str, object] | None:
    try:
        content = current("table", QueryDict(campaign.query), reader)
    except ImpossibleSelection:  # such as runs without results yet
        return None
    except LeftToWorker as left:  # the next reader finds it
        if not left.seen.unfinished:
            with suppress(Busy):
                ask_part(left)
        return None
    answer = table_answer(grid_of(content)) if isinstance(content, TableContent) else None
    # The answer of a campaign, and the address of its table.
    return {"title": content.title, "href": campaign.href, "answer": answer} if answer and answer.ranking else None


def permalinks() -> list[dict[str, object]]:
    """The newest permalinks with only runs from everybody's lists; two queries.

    Other permalinks are reachable only by their address. Published tables are listed with their articles.
    """
    newest = Permalink.objects.filter(revoked_at=None).exclude(pk__in=PublishedTable.objects.values("permalink"))
    candidates = newest.order_by("-created_at", "id").values("pk")[:CANDIDATES]
    listed = Permalink.objects.filter(pk__in=candidates).of_listed_runs().order_by("-created_at", "id")
    shown = list(listed.values("pk", "kind", "author", "created_at")[:PERMALINKS])
    titles = dict(
        Permalink.objects.filter(pk__in=[link["pk"] for link in shown]).values_list("pk", KT("content__title"))
    )
    # A permalink on the home page.
    return [
        {
            "href": reverse("permalink", args=[link["pk"]]),
            "text": titles[link["pk"]] or link["pk"],
            "note": f"{KINDS[link['kind']].noun}, {link['author']}",
            "at": link["created_at"],
        }
        for link in shown
    ]
