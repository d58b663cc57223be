"""Command lines on pages: those that start an agent for queued plans, and names in others."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Self

from django.http import HttpRequest
from django.urls import reverse

from benchagent.plan.model import Plan
from benchdb.http.requests import server_of
from benchdb.http.shown_once import carried

from .offers import config_lines, needs_root

AGENT = "benchagent.pyz"
PLACEHOLDER = "YOUR-TOKEN"
CONFIG, TOKEN = "benchagent.toml", "benchagent.token"  # file names


@dataclass(frozen=True, slots=True)
class PageVisit:
    """The server's address, the address of the page, and the secret of a token that was just made for it."""

    server: str
    here: str
    secret: str | None = None

    @classmethod
    def of(cls, request: HttpRequest) -> Self:
        """The visit of a request."""
        made = carried(request)
        return cls(server_of(request), request.get_full_path(), made.secret if made else None)


def agent_start(visit: PageVisit, plan: Plan | None = None) -> dict[str, object]:
    """The commands for a plan, or for plans in a directory."""
    server, secret, here = visit.server, visit.secret, visit.here
    settings = [shlex.quote(f'server = "{server}"'), shlex.quote(f'token_file = "{TOKEN}"'), *config_lines(plan)]
    return {
        "fetch": f"curl -fsSO {shlex.quote(server + reverse('agent-file'))}",
        "token": f"(umask 077; printf '%s\\n' {secret or PLACEHOLDER} > {TOKEN})",
        "config": f"printf '%s\\n' {' '.join(settings)} > {CONFIG}",
        "serve": f"{'sudo ' if needs_root(plan) else ''}env BENCHAGENT_CONFIG={CONFIG} python3 {AGENT} serve",
        "secret": secret,
        "next": here,
        "placeholder": PLACEHOLDER,
    }
