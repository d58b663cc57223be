"""The context of the account page: tokens, permalinks, imports and plans of the reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Q
from django.db.models.fields.json import KT
from django.urls import reverse
from django.utils import timezone

from benchdb.compare.models import Permalink
from benchdb.ingest.imports.page import own_imports
from benchdb.ingest.models import Scope, Token
from benchdb.plans.models import Job
from benchdb.runs.models import Visibility
from benchdb.web.context import Context
from benchdb.wording.words import VISIBILITIES

from .forms import LIFETIMES, LONGEST_NAME, SCOPES, TokenForm

MOST_TOKENS = 200
NEWEST = 5
NEW_TOKEN: Mapping[str, Any] = {"name": "", "scopes": [Scope.UPLOAD], "visibility": Visibility.PRIVATE, "lasts": "365"}


def account(user: User, form: TokenForm | None = None, made: tuple[Token, str] | None = None) -> Context:
    """The context of `web/account.html`; four queries. `form` is an invalid form, `made` a token with its secret."""
    now = timezone.now()
    ended = Q(revoked_at__isnull=False) | Q(expires_at__isnull=False, expires_at__lte=now)  # never null
    tokens = list(user.tokens.select_related("machine").alias(ended=ended).order_by("ended", "-pk")[: MOST_TOKENS + 1])
    return {
        "section": "account",
        "tokens": [token_row(token, now) for token in tokens[:MOST_TOKENS]],
        "most_tokens": MOST_TOKENS if len(tokens) > MOST_TOKENS else None,
        "made": {"name": made[0].name, "secret": made[1]} if made else None,
        "form": token_form(form),
        "permalinks": _permalinks(user),
        "imports": _imports(user),
        "plans": _plans(user),
    }


def token_row(token: Token, now: datetime) -> Context:
    """One line of the table of tokens."""
    if token.revoked_at is not None:
        state, since = "revoked", token.revoked_at
    elif token.expires_at is not None and token.expires_at <= now:
        state, since = "expired", token.expires_at
    else:
        state, since = "valid", None
    return {
        "name": token.name,
        "scopes": token.scopes,
        "visibility": token.default_visibility,
        "machine": token.machine.name if token.machine else None,
        "created_at": token.created_at,
        "last_used_at": token.last_used_at,
        "expires_at": token.expires_at,
        "state": state,
        "since": since,
        "revoke": reverse("token-revoke", args=[token.pk]) if state == "valid" else None,
    }


def token_form(form: TokenForm | None) -> Context:
    """The form as it was sent, or with its defaults; `faults` by field."""
    entered = {name: form[name].value() for name in form.fields} if form else NEW_TOKEN
    faults = {name: list(errors) for name, errors in form.errors.items()} if form else {}
    return {
        "name": entered["name"] or "",
        "longest": LONGEST_NAME,
        "scopes": _options(SCOPES, entered["scopes"] or []),
        "visibility": _options(VISIBILITIES, [entered["visibility"]]),
        "lasts": _options(LIFETIMES, [entered["lasts"]]),
        "faults": faults,
    }


def _options(choices: Mapping[Any, str], chosen: Sequence[str]) -> list[Context]:
    return [{"value": str(value), "text": text, "chosen": value in chosen} for value, text in choices.items()]


def _permalinks(user: User) -> list[Context]:
    own = Permalink.objects.filter(owner=user, revoked_at=None).annotate(title=KT("content__title"))
    links = own.order_by("-created_at", "id").values("id", "title", "created_at")[:NEWEST]
    return [_line(reverse("permalink", args=[link["id"]]), link["title"], link["created_at"]) for link in links]


def _imports(user: User) -> list[Context]:
    imports = own_imports(user, NEWEST)
    return [_line(item["href"], f"{item['what']}, {item['state']}", item["at"]) for item in imports]


def _plans(user: User) -> list[Context]:
    jobs = Job.objects.filter(owner=user).select_related("machine").defer("plan_text", "files")
    return [
        _line(job.get_absolute_url(), f"{job.plan_name} on {job.machine.name}, {job.state}", job.queued_at)
        for job in jobs.order_by("-queued_at")[:NEWEST]
    ]


def _line(href: str, text: str | None, at: datetime) -> Context:
    return {"href": href, "text": text or "Its runs were deleted", "at": at}
