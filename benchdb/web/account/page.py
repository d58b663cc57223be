"""The context of the account page: tokens, permalinks, imports and plans of the reader."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q
from django.db.models.fields.json import KT
from django.urls import reverse
from django.utils import timezone

from benchdb.compare.models import Permalink
from benchdb.http.shown_once import NewToken
from benchdb.ingest.imports.page import own_imports
from benchdb.plans.models import Job

from .forms import TokenForm

MOST_TOKENS = 200
NEWEST = 5


OwnLine = dict[str, object]  # a link to something of the reader, with its time: href, text, at


def account(user: User, form: TokenForm | None = None, made: NewToken | None = None) -> dict[str, object]:
    """The page of an account; four queries, five with a provider. `form` is an invalid form, `made` a new token."""
    ended = Q(revoked_at__isnull=False) | Q(expires_at__isnull=False, expires_at__lte=timezone.now())  # never null
    tokens = list(
        user.tokens.select_related("machine").annotate(ended=ended).order_by("ended", "-pk")[: MOST_TOKENS + 1]
    )
    identities = user.identities.filter(issuer=settings.OIDC_ISSUER)
    # The context of web/account.html; `most_tokens` is None if all tokens are shown.
    return {
        "tokens": tokens[:MOST_TOKENS],
        "most_tokens": MOST_TOKENS if len(tokens) > MOST_TOKENS else None,
        "made": made,
        "form": form or TokenForm(),
        "permalinks": _permalinks(user),
        "imports": [_line(each.href, f"{each.what}, {each.state}", each.at) for each in own_imports(user, NEWEST)],
        "plans": _plans(user),
        "provider": settings.OIDC_LABEL if settings.OIDC_ISSUER else "",
        "identity": identities.order_by("-used_at").first() if settings.OIDC_ISSUER else None,
        "sends_mail": bool(settings.EMAIL_HOST),
        "section": "account",
    }


def _permalinks(user: User) -> list[OwnLine]:
    own = Permalink.objects.filter(owner=user, revoked_at=None).annotate(title=KT("content__title"))
    links = own.order_by("-created_at", "id").values("id", "title", "created_at")[:NEWEST]
    return [_line(reverse("permalink", args=[link["id"]]), link["title"], link["created_at"]) for link in links]


def _plans(user: User) -> list[OwnLine]:
    jobs = Job.objects.filter(owner=user).select_related("machine").defer("plan_text", "files")
    return [
        _line(job.get_absolute_url(), f"{job.plan_name} on {job.machine.name}, {job.state}", job.queued_at)
        for job in jobs.order_by("-queued_at")[:NEWEST]
    ]


def _line(href: str, text: str | None, at: datetime) -> OwnLine:
    return {"href": href, "text": text or "Its runs were deleted", "at": at}
