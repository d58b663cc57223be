"""The context of the account page: tokens, permalinks, imports and plans of the reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q
from django.db.models.fields.json import KT
from django.urls import reverse
from django.utils import timezone

from benchdb.compare.models import Permalink
from benchdb.http.shown_once import NewToken
from benchdb.identity.models import Identity
from benchdb.ingest.imports.page import own_imports
from benchdb.ingest.models import Token
from benchdb.plans.models import Job

from .forms import TokenForm

MOST_TOKENS = 200
NEWEST = 5


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token in the table; `since` is when it was revoked or expired, `revoke` is None if it is not valid."""

    name: str
    scopes: Sequence[str]
    visibility: str
    machine: str | None
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None
    state: str
    since: datetime | None
    revoke: str | None


@dataclass(frozen=True, slots=True)
class OwnLine:
    """A link to something of the reader, with its time."""

    href: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class AccountPage:
    """The context of web/account.html; `most_tokens` is None if all tokens are shown."""

    tokens: Sequence[TokenRow]
    most_tokens: int | None
    made: NewToken | None
    form: TokenForm
    permalinks: Sequence[OwnLine]
    imports: Sequence[OwnLine]
    plans: Sequence[OwnLine]
    provider: str
    identity: Identity | None
    sends_mail: bool
    section: str = "account"


def account(user: User, form: TokenForm | None = None, made: NewToken | None = None) -> AccountPage:
    """The page of an account; four queries, five with a provider. `form` is an invalid form, `made` a new token."""
    now = timezone.now()
    ended = Q(revoked_at__isnull=False) | Q(expires_at__isnull=False, expires_at__lte=now)  # never null
    tokens = list(user.tokens.select_related("machine").alias(ended=ended).order_by("ended", "-pk")[: MOST_TOKENS + 1])
    identities = user.identities.filter(issuer=settings.OIDC_ISSUER)
    return AccountPage(
        tokens=[token_row(token, now) for token in tokens[:MOST_TOKENS]],
        most_tokens=MOST_TOKENS if len(tokens) > MOST_TOKENS else None,
        made=made,
        form=form or TokenForm(),
        permalinks=_permalinks(user),
        imports=_imports(user),
        plans=_plans(user),
        provider=settings.OIDC_LABEL if settings.OIDC_ISSUER else "",
        identity=identities.order_by("-used_at").first() if settings.OIDC_ISSUER else None,
        sends_mail=bool(settings.EMAIL_HOST),
    )


def token_row(token: Token, now: datetime) -> TokenRow:
    """The state of a token at a time."""
    if token.revoked_at is not None:
        state, since = "revoked", token.revoked_at
    elif token.expires_at is not None and token.expires_at <= now:
        state, since = "expired", token.expires_at
    else:
        state, since = "valid", None
    return TokenRow(
        name=token.name,
        scopes=token.scopes,
        visibility=token.default_visibility,
        machine=token.machine.name if token.machine else None,
        created_at=token.created_at,
        last_used_at=token.last_used_at,
        expires_at=token.expires_at,
        state=state,
        since=since,
        revoke=reverse("token-revoke", args=[token.pk]) if state == "valid" else None,
    )


def _permalinks(user: User) -> list[OwnLine]:
    own = Permalink.objects.filter(owner=user, revoked_at=None).annotate(title=KT("content__title"))
    links = own.order_by("-created_at", "id").values("id", "title", "created_at")[:NEWEST]
    return [_line(reverse("permalink", args=[link["id"]]), link["title"], link["created_at"]) for link in links]


def _imports(user: User) -> list[OwnLine]:
    imports = own_imports(user, NEWEST)
    return [_line(item.href, f"{item.what}, {item.state}", item.at) for item in imports]


def _plans(user: User) -> list[OwnLine]:
    jobs = Job.objects.filter(owner=user).select_related("machine").defer("plan_text", "files")
    return [
        _line(job.get_absolute_url(), f"{job.plan_name} on {job.machine.name}, {job.state}", job.queued_at)
        for job in jobs.order_by("-queued_at")[:NEWEST]
    ]


def _line(href: str, text: str | None, at: datetime) -> OwnLine:
    return OwnLine(href, text or "Its runs were deleted", at)
