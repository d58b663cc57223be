"""Matches among names that people and authors gave: articles, campaigns, plans, permalinks, accounts."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.db.models.fields.json import KT
from django.urls import reverse

from benchdb.compare.models import Permalink
from benchdb.http.requests import Reader
from benchdb.plans.models import Campaign, Job
from benchdb.plans.plan_texts import shipped_plans, what_it_measures
from benchdb.publications.models import Publication
from benchdb.roles import only_reads
from benchdb.runs.models import RunState
from benchdb.wording.names import told_apart
from benchdb.wording.numbers import plural

from .found import MOST_LINES, FoundSection, all_in


def articles(words: list[str], user: Reader) -> FoundSection:
    found = Publication.objects.filter(all_in(words, "title", "authors", "citation", "slug"))[:MOST_LINES]
    return FoundSection(
        "Articles",
        [
            {
                "href": reverse("article", args=[article.slug]),
                "text": article.title,
                "note": f"{article.authors}, {article.year}",
            }
            for article in found
        ],
    )


def campaigns(words: list[str], user: Reader) -> FoundSection:
    listed = Campaign.objects.listed_for(user).filter(all_in(words, "plan_name", "machine__name"))
    rows = listed.order_by("-id").values("pk", "plan_name", "machine", "machine__name", "started_at")[:MOST_LINES]
    machines = told_apart({row["machine"]: row["machine__name"] for row in rows})
    return FoundSection(
        "Campaigns",
        [
            {
                "href": reverse("campaign", args=[row["pk"]]),
                "text": row["plan_name"],
                "note": f"on {machines[row['machine']]}",
                "at": row["started_at"],
            }
            for row in rows
        ],
    )


def own_permalinks(words: list[str], user: Reader) -> FoundSection:
    """The reader's own permalinks, by title; others are reachable only by their address."""
    lines = []
    if user.is_authenticated:
        permalinks = Permalink.objects.filter(owner=user, revoked_at=None).annotate(title=KT("content__title"))
        found = permalinks.filter(all_in(words, "title")).order_by("-created_at")
        lines = [
            {
                "href": reverse("permalink", args=[link["pk"]]),
                "text": link["title"],
                "note": link["kind"],
                "at": link["created_at"],
            }
            for link in found.values("pk", "title", "kind", "created_at")[:MOST_LINES]
        ]
    return FoundSection("My permalinks", lines, {"text": "All my permalinks", "href": reverse("permalinks")})


def plans(words: list[str], user: Reader) -> FoundSection:
    """Shipped plans, for readers who may queue one, and the reader's own queued plans; one query."""
    lines = []
    if user.is_authenticated:
        jobs = Job.objects.filter(all_in(words, "plan_name"), owner=user).order_by("-queued_at")
        fields = jobs.values("pk", "plan_name", "machine__name", "queued_at")[:MOST_LINES]
        lines = [
            {
                "href": reverse("job", args=[job["pk"]]),
                "text": job["plan_name"],
                "note": f"queued for {job['machine__name']}",
                "at": job["queued_at"],
            }
            for job in fields
        ]
        if not only_reads(user):
            lines = [*_shipped(words), *lines]
    return FoundSection("Plans", lines[:MOST_LINES])


def _shipped(words: list[str]) -> list[dict[str, object]]:
    wanted = [word.casefold() for word in words]
    return [
        {
            "href": f"{reverse('plan-new')}?{urlencode({'plan': name})}",
            "text": name,
            "note": what_it_measures(text),
        }
        for name, text in shipped_plans().items()
        if all(word in name.casefold() for word in wanted)
    ]


def accounts(words: list[str], user: Reader) -> FoundSection:
    """The reader's own account, and for those who may see accounts in the admin all of them; at most two queries.

    Nobody else finds the owner of anything, because no page names owners.
    """
    lines: list[dict[str, object]] = []
    if user.is_authenticated:
        name = user.get_username()
        if all(word.casefold() in name.casefold() for word in words):
            runs = RunState.objects.listed_for(user).filter(owner=user).count()
            lines = [
                {
                    "href": f"{reverse('runs')}?owner=me",
                    "text": name,
                    "note": f"my account, {plural(runs, 'run')}",
                }
            ]
        if user.is_staff and user.has_perm("auth.view_user"):
            found = User.objects.filter(all_in(words, "username", "first_name", "last_name")).exclude(pk=user.pk)
            lines += [
                {
                    "href": reverse("admin:auth_user_change", args=[each.pk]),
                    "text": each.get_username(),
                    "note": "account",
                }
                for each in found.order_by("username")[:MOST_LINES]
            ]
    return FoundSection("Accounts", lines[:MOST_LINES])
