"""The agent for download, and the page that shows how to get and start it."""

from __future__ import annotations

import shlex

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers, get_conditional_response
from django.views.decorators.http import require_http_methods, require_safe

from benchdb.http.requests import server_of
from benchdb.ingest.models import Scope
from benchdb.ingest.tokens import create_token
from benchdb.plans.agent_words import AGENT, PLACEHOLDER
from benchdb.wording.sizes import say_size

from .file import AgentFile, agent_file


@require_http_methods(["GET", "HEAD", "POST"])
def agent_page(request: HttpRequest) -> HttpResponse:
    """How to get the agent and start it. POST makes a token that may upload and nothing else.

    The token is in that one answer: it is not stored, and no cache may keep it.
    """
    if request.method != "POST":
        return render(request, "web/agent.html", _page(request, None))
    if not request.user.is_authenticated:  # signed out since the page was loaded
        return redirect_to_login(reverse("agent"))
    _, secret = create_token(request.user, f"agent, {timezone.now():%Y-%m-%d}", [Scope.UPLOAD])
    response = render(request, "web/agent.html", _page(request, secret))
    add_never_cache_headers(response)
    return response


@require_safe
def download(request: HttpRequest) -> HttpResponse:
    """`benchagent.pyz`."""
    response = _file(request, agent_file(), agent_file().data, "application/octet-stream")
    response["Content-Disposition"] = f'attachment; filename="{AGENT}"'
    return response


@require_safe
def checksum(request: HttpRequest) -> HttpResponse:
    """Its SHA-256, as `sha256sum --check` reads it."""
    found = agent_file()
    return _file(request, found, f"{found.sha256}  {AGENT}\n".encode(), "text/plain; charset=utf-8")


def _file(request: HttpRequest, found: AgentFile, body: bytes, content_type: str) -> HttpResponse:
    tag = f'"{found.sha256}"'
    response = HttpResponse(body, content_type=content_type, headers={"ETag": tag, "Cache-Control": "no-cache"})
    return get_conditional_response(request, etag=tag, response=response) or response


def two_lines(request: HttpRequest, token: str = PLACEHOLDER) -> dict[str, str]:
    """What adds a machine: `fetch` the agent, and let it `run`."""
    address = shlex.quote(request.build_absolute_uri(reverse("agent-file")))
    return {
        "fetch": f"curl -fsSO {address}",
        "run": f"BENCHAGENT_TOKEN={token} python3 {AGENT} run directory --directory . --server {_server(request)}",
    }


def _server(request: HttpRequest) -> str:
    return shlex.quote(server_of(request))  # [::1] would be a pattern for some shells


def _page(request: HttpRequest, secret: str | None) -> dict[str, object]:
    """Command lines to paste. `secret` is the new token, None where there is none yet."""
    server, address = _server(request), shlex.quote(request.build_absolute_uri(reverse("agent-file")))
    found, token = agent_file(), secret or PLACEHOLDER
    return {
        "section": "agent",
        "secret": secret,
        "placeholder": PLACEHOLDER,
        "size": say_size(len(found.data)),
        **two_lines(request, token),
        "fetch_with_wget": f"wget -nv -O {AGENT} {address}",
        "check": f"echo '{found.sha256}  {AGENT}' | sha256sum --check",
        "doctor": f"python3 {AGENT} doctor",
        "keep_token": f"(umask 077; printf '%s\\n' {token} > benchagent.token)",
        "run_as_root": f"sudo python3 {AGENT} run demo --server {server} --token-file benchagent.token",
    }
