"""The contexts of the pages of permalinks, and of the question before figures that are not public are shared."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.db.models.fields.json import KT
from django.urls import reverse

from benchdb.compare.content import Content, Context
from benchdb.compare.kind import ComparisonKind
from benchdb.compare.kinds import KINDS
from benchdb.compare.models import Permalink, PermalinkQuerySet
from benchdb.compare.page_parts import withdrawn
from benchdb.compare.page_parts.export_menu import export_links
from benchdb.runs.models import Run
from benchdb.wording.numbers import plural
from benchdb.wording.sizes import unbroken

from . import citation
from .current_data import ChangedCell, CurrentData

PAGE = 50
EMBED = '<iframe src="{}" width="100%" height="480" style="border: 0" title="{}"></iframe>'
THEMES = ("light", "dark")


def permalink(link: Permalink, address: str, chosen: str = "") -> Context:
    """`compare/permalink.html`, from the frozen copy only. `chosen` is the cell of a table in the address."""
    content, kind = link.shown, KINDS[link.kind]
    return {
        **kind.frozen_page(content, chosen, link.get_absolute_url()),
        "kind": kind,
        "frozen": frozen(link, content, address),
        "cite": {"plain": citation.plain(link, address), "bibtex": citation.bibtex(link, address)},
        "embed": _iframe(link, content, address),
        "exports": export_links(lambda form: reverse("permalink-data", args=[link.id, form])),
    }


def frozen(link: Permalink, content: Content, address: str) -> Context:
    """The context of web/partials/frozen.html: the permalink, and the state of its runs."""
    return {
        "kind": link.kind,
        "address": address,
        "at": link.created_at,
        "by": link.author,
        "statistics": f"statistics {content['statistics_version']}",
        "runs": len(link.runs),
        "today": reverse("permalink-today", args=[link.id]),
        "withdrawn": withdrawn.show(link.withdrawn, content),
        "deleted": _deleted(len(link.deleted), link.kind),
        "article": _article(link),
    }


def _article(link: Permalink) -> Context | None:
    """The article that the table belongs to."""
    published = getattr(link, "published", None)
    if published is None:
        return None
    article = published.publication
    return {"title": article.title, "href": f"{reverse('article', args=[article.slug])}#{published.key}-title"}


def _deleted(number: int, kind: str) -> str | None:
    if not number:
        return None
    return f"{plural(number, 'run')} of this {kind} {'was' if number == 1 else 'were'} deleted since."


def _iframe(link: Permalink, content: Content, address: str) -> str:
    """The element that shows the permalink on another page."""
    title = content["title"].translate({ord("&"): "&amp;", ord('"'): "&quot;", ord("<"): "&lt;"})
    return EMBED.format(f"{address}embed", title)


def embedded(link: Permalink, address: str, theme: str) -> Context:
    """`compare/embed.html`: the figures and their origin; an empty theme is the reader's own."""
    content, kind = link.shown, KINDS[link.kind]
    context = {
        **kind.frozen_page(content, "", ""),
        "kind": kind,
        "frozen": frozen(link, content, address),
        "theme": theme,
    }
    if context.get("table") is not None:  # a fine surface has numbers only
        context["table"]["details"] = {}  # only a script opens panels
    return context


def gone(link: Permalink, reader: Any = None) -> Context:
    """`compare/gone.html`; only the owner gets a link to the live page."""
    is_owner = getattr(reader, "is_authenticated", False) and link.owner_id == reader.pk
    live = f"{reverse(KINDS[link.kind].path)}?{link.query}" if is_owner and link.gone == "revoked" else None
    return {"section": "compare", "why": link.gone, "kind": link.kind, "own": is_owner, "live": live}


def today(link: Permalink, address: str, current: CurrentData) -> Context:
    """`compare/today.html`: the current data, with a mark on each cell whose frozen figures differ."""
    kind = KINDS[link.kind]
    context = kind.frozen_page(current.content, "", "")
    for change in current.changed:
        if change.key and (cell := kind.cell_of_page(context, change.key)) is not None:
            _mark(cell, change.frozen or "not there")
    return {
        **context,
        "kind": kind,
        "frozen": frozen(link, link.shown, address),
        "live": f"{reverse(kind.path)}?{current.content['query']}",
        "changed": [
            {"place": _say_place(change, kind), "frozen": change.frozen or "–", "now": change.now or "–"}
            for change in current.changed
        ],
        "versions": current.versions,
        "missing": plural(current.missing, "run") if current.missing else None,
    }


def _say_place(changed: ChangedCell, kind: ComparisonKind) -> str:
    """`1 MiB records · xfs · Write`."""
    split, row, column, _ = changed.labels
    return " · ".join(filter(None, (split, kind.say_row(row), column)))


def _mark(cell: Context, before: str) -> None:
    """Add a mark with the cell's frozen figures."""
    mark = {"text": "changed", "why": f"Frozen as {before}.", "warning": True}
    cell["tags"] = [mark, *cell.get("tags", [])]


def ask_to_share(kind: str, query: str, cell: str, hidden: Sequence[Run]) -> Context:
    """`compare/share.html`: the runs that are not public; with the address, anybody would see their figures."""
    return {
        "section": "compare",
        "kind": kind,
        "query": query,
        "cell": cell,
        "runs": hidden,
        "back": f"{reverse(KINDS[kind].path)}?{query}",
    }


def own(permalinks: PermalinkQuerySet, after: datetime | None) -> Context:
    """`compare/permalinks.html`: one page of a user's permalinks, the newest first; one query."""
    listed = permalinks.with_runs_now().annotate(title=KT("content__title"), subtitle=KT("content__subtitle"))
    listed = listed.defer("content", "query").order_by("-created_at", "id")
    if after is not None:
        listed = listed.filter(created_at__lt=after)
    links = list(listed[: PAGE + 1])
    address = reverse("permalinks")
    older = {"before": links[PAGE - 1].created_at.isoformat()} if len(links) > PAGE else None
    return {
        "section": "compare",
        "permalinks": [_row(link) for link in links[:PAGE]],
        "next": f"{address}?{urlencode(older)}" if older else None,
        "first": address if after else None,
    }


def _row(link: Any) -> Context:
    if link.revoked_at is not None:
        state = "revoked"
    elif link.title is None or len(link.deleted) == len(link.runs):
        state = "deleted"
    else:
        state = "withdrawn runs" if link.withdrawn else "shared"
    return {
        "href": link.get_absolute_url(),
        "title": "Its runs were deleted" if state == "deleted" else link.title or link.id,
        "subtitle": "" if state == "deleted" else unbroken(link.subtitle or ""),
        "kind": link.kind,
        "runs": len(link.runs),
        "at": link.created_at,
        "state": state,
        "revoke": None if state in ("revoked", "deleted") else reverse("permalink-revoke", args=[link.id]),
    }
