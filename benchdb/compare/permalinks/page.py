"""The contexts of the pages of permalinks, and of the question before figures that are not public are shared."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from urllib.parse import urlencode

from django.conf import settings
from django.db.models.fields.json import KT
from django.http import QueryDict
from django.urls import reverse

from benchdb.compare.content import Content
from benchdb.compare.goes_with.shown import show_frozen
from benchdb.compare.kind import PageOptions
from benchdb.compare.kinds import KINDS, AnyKind
from benchdb.compare.models import Permalink, PermalinkQuerySet
from benchdb.compare.page_parts import withdrawn
from benchdb.compare.page_parts.dataset import dataset_of
from benchdb.compare.page_parts.export_menu import export_links
from benchdb.compare.table.content import TableContent
from benchdb.http.requests import Reader
from benchdb.runs.models import Run
from benchdb.wording.numbers import plural
from benchdb.wording.sizes import unbroken

from . import citation, previews
from .current_data import ChangedCell, CurrentData

PAGE = 50
THEMES = ("light", "dark")


def permalink(
    link: Permalink, address: str, chosen: str = "", show: Sequence[str] = ()
) -> tuple[dict[str, object], dict[str, object]]:
    """`compare/permalink.html`, from the frozen copy only.

    `chosen` is the cell of a table in the address, `show` what else is to be seen.
    """
    content, kind = link.shown, KINDS[link.kind]
    address_of_panels = reverse("permalink-panels", args=[link.id])
    page = kind.page(content, PageOptions(chosen, link.get_absolute_url(), address_of_panels, show=show))
    if link.withdrawn:
        page["description"] = f"With figures that were withdrawn. {page['description']}"
    # What compare/permalink.html shows besides the content; `goes_with` is of a table with samples of the machine.
    # `dataset` is the schema.org Dataset, as JSON-LD.
    parts = {
        "kind": kind,
        "frozen": frozen(link, content, address),
        "preview": previews.preview_of(link, address),
        "cite": {"plain": citation.plain(link, address), "bibtex": citation.bibtex(link, address)},
        "snippets": previews.snippets_of(link, address),
        "exports": export_links(lambda form: reverse("permalink-data", args=[link.id, form])),
        "goes_with": show_frozen(content) if isinstance(content, TableContent) else None,
        "dataset": dataset_of(
            content,
            kind.cells(content),
            address=address,
            description=str(page["description"]),
            created=link.created_at,
            author=link.author,
            # The figures of an article are those of somebody else.
            license_url="" if getattr(link, "published", None) else settings.LICENSE,
        ),
    }
    return page, parts


def frozen(link: Permalink, content: Content, address: str) -> dict[str, object]:
    """The context of web/partials/frozen.html: the permalink, and the state of its runs.

    `deleted` is a sentence about its deleted runs; `today` is the address of the current data. `compared` are its runs
    and campaigns as a query string, which the tray does not offer again.
    """
    return {
        "withdrawn": withdrawn.show(link.withdrawn, content),
        "deleted": _deleted(len(link.deleted), KINDS[link.kind].noun),
        "noun": KINDS[link.kind].noun,
        "address": address,
        "at": link.created_at,
        "by": link.author,
        "statistics": f"statistics {content.statistics_version}",
        "runs": len(link.runs),
        "today": reverse("permalink-today", args=[link.id]),
        "article": _article(link),
        "compared": _compared(content),
    }


def _compared(content: Content) -> str:
    """`run=…&run=…&campaign=…`: the runs of the content, and the campaigns of its query."""
    campaigns = QueryDict(content.query).getlist("campaign")
    return urlencode([*(("run", run) for run in content.runs), *(("campaign", campaign) for campaign in campaigns)])


def _article(link: Permalink) -> dict[str, object] | None:
    published = getattr(link, "published", None)
    if published is None:
        return None
    article = published.publication
    return {"title": article.title, "href": f"{reverse('article', args=[article.slug])}#{published.key}-title"}


def _deleted(number: int, noun: str) -> str | None:
    if not number:
        return None
    return f"{plural(number, 'run')} of this {noun} {'was' if number == 1 else 'were'} deleted since."


def embedded(link: Permalink, address: str, theme: str) -> tuple[dict[str, object], dict[str, object]]:
    """`compare/embed.html`: the figures and their origin. It has no script, so nothing can open panels."""
    content, kind = link.shown, KINDS[link.kind]
    parts = {"kind": kind, "frozen": frozen(link, content, address), "theme": theme}
    return kind.page(content, PageOptions(with_panels=False)), parts


def gone(link: Permalink, reader: Reader | None = None) -> dict[str, object]:
    """The page of a permalink that was revoked, or all of whose runs were deleted."""
    is_owner = reader is not None and reader.is_authenticated and link.owner_id == reader.pk
    live = f"{reverse(KINDS[link.kind].path)}?{link.query}" if is_owner and link.gone == "revoked" else None
    # The context of compare/gone.html; only the owner (`own`) gets a link to the live page.
    return {"why": link.gone, "noun": KINDS[link.kind].noun, "own": is_owner, "live": live, "section": "compare"}


def today(link: Permalink, address: str, current: CurrentData) -> tuple[dict[str, object], dict[str, object]]:
    """`compare/today.html`: the current data, with a mark on each cell whose frozen figures differ."""
    kind = KINDS[link.kind]
    marks = {change.key: f"Frozen as {change.frozen or 'not there'}." for change in current.changed if change.key}
    # What compare/today.html shows besides the current data; `versions` are (program, frozen, current).
    parts = {
        "kind": kind,
        "frozen": frozen(link, link.shown, address),
        "live": f"{reverse(kind.path)}?{current.content.query}",
        "changed": [
            {"place": _say_place(change, kind), "frozen": change.frozen or "–", "now": change.now or "–"}
            for change in current.changed
        ],
        "versions": current.versions,
        "missing": plural(current.missing, "run") if current.missing else None,
    }
    panels = f"{reverse('compare-panels')}?{current.content.query}"
    return kind.page(current.content, PageOptions(panels=panels, marks=marks)), parts


def _say_place(changed: ChangedCell, kind: AnyKind) -> str:
    """`1 MiB records · xfs · Write`."""
    split, row, column, _ = changed.labels
    return " · ".join(filter(None, (split, kind.say_row(row), column)))


def ask_to_share(kind: str, query: str, cell: str, hidden: Sequence[Run]) -> dict[str, object]:
    """The question about runs that are not public: with the address, anybody would see their figures."""
    return {
        "kind": kind,
        "noun": KINDS[kind].noun,
        "query": query,
        "cell": cell,
        "runs": hidden,
        "back": f"{reverse(KINDS[kind].path)}?{query}",
        "section": "compare",
    }


def own(permalinks: PermalinkQuerySet, after: datetime | None) -> dict[str, object]:
    """One page of a user's permalinks, the newest first; one query."""
    newest = permalinks.with_runs_now().defer("content", "query").order_by("-created_at", "id")
    listed = newest.annotate(title=KT("content__title"), subtitle=KT("content__subtitle"))
    if after is not None:
        listed = listed.filter(created_at__lt=after)
    links = list(listed[: PAGE + 1])
    address = reverse("permalinks")
    older = {"before": links[PAGE - 1].created_at.isoformat()} if len(links) > PAGE else None
    return {
        "permalinks": [_row(link, vars(link)["title"], vars(link)["subtitle"]) for link in links[:PAGE]],
        "next": f"{address}?{urlencode(older)}" if older else None,
        "first": address if after else None,
        "section": "compare",
    }


def _row(link: Permalink, title: str | None, subtitle: str | None) -> dict[str, object]:
    """A permalink with the title and subtitle of its content, which are None if nothing is left of it."""
    if link.revoked_at is not None:
        state = "revoked"
    elif title is None or len(link.deleted) == len(link.runs):
        state = "deleted"
    else:
        state = "withdrawn runs" if link.withdrawn else "shared"
    # A permalink in its owner's list; `state` is shared, withdrawn runs, deleted or revoked.
    return {
        "href": link.get_absolute_url(),
        "title": "Its runs were deleted" if state == "deleted" else title or link.id,
        "subtitle": "" if state == "deleted" else unbroken(subtitle or ""),
        "noun": KINDS[link.kind].noun,
        "runs": len(link.runs),
        "at": link.created_at,
        "state": state,
        "revoke": None if state in ("revoked", "deleted") else reverse("permalink-revoke", args=[link.id]),
    }
