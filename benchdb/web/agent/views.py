"""The agent for download, and the page with instructions."""

from __future__ import annotations

import shlex
from urllib.parse import urlsplit

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from benchdb.http.requests import server_of
from benchdb.http.shown_once import NewToken, carried, only_now, redirect_with
from benchdb.ingest.models import Scope
from benchdb.ingest.tokens import create_token
from benchdb.plans.command_lines import AGENT, PLACEHOLDER
from benchdb.quotas.limits import QuotaExceeded
from benchdb.wording.sizes import say_size

from .file import AgentFile, agent_file

SHOW_TOKENS = ("plan-new", "job", "machine", "queue")  # names of addresses


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def agent_page(request: HttpRequest) -> HttpResponse:
    """Instructions to get and start the agent. POST makes a token for one machine, which the page then shows once."""
    if request.method != "POST":
        made = carried(request)
        response = render(request, "web/agent.html", _page(request, made.secret if made else None))
        return only_now(response, request) if made else response
    if not request.user.is_authenticated:  # signed out since the page was loaded
        return redirect_to_login(reverse("agent"))
    serves = "serve" in request.POST
    name = f"{'queue' if serves else 'agent'}, {timezone.now():%Y-%m-%d}"
    scopes = [Scope.UPLOAD, Scope.SERVE] if serves else [Scope.UPLOAD]
    try:
        token, secret = create_token(request.user, name, scopes)
    except QuotaExceeded as error:
        context = {"status": 507, "message": "No token was made", "why": error}
        return render(request, "web/error.html", context, status=507)
    return redirect_with(NewToken(token.name, secret), request, _page_for(request.POST.get("next", "")))


def _page_for(address: str) -> str:
    """The address if it is that of a page that shows new tokens, else that of this page."""
    try:
        shows = resolve(urlsplit(address).path).url_name in SHOW_TOKENS
    except Resolver404:
        shows = False
    return address if shows and url_has_allowed_host_and_scheme(address, None) else reverse("agent")


@require_safe
def download(request: HttpRequest) -> HttpResponse:
    """`benchagent.pyz`."""
    response = _file(request, agent_file(), agent_file().data, "application/octet-stream")
    response["Content-Disposition"] = f'attachment; filename="{AGENT}"'
    return response


@require_safe
def checksum(request: HttpRequest) -> HttpResponse:
    """The SHA-256 of the file, in the format of `sha256sum --check`."""
    file = agent_file()
    return _file(request, file, f"{file.sha256}  {AGENT}\n".encode(), "text/plain; charset=utf-8")


def _file(request: HttpRequest, file: AgentFile, body: bytes, content_type: str) -> HttpResponse:
    tag = f'"{file.sha256}"'
    response = HttpResponse(body, content_type=content_type, headers={"ETag": tag, "Cache-Control": "no-cache"})
    return get_conditional_response(request, etag=tag, response=response) or response


def two_lines(request: HttpRequest, token: str = PLACEHOLDER) -> dict[str, str]:
    """The two command lines that add a machine: `fetch` the agent and `run` it."""
    address = shlex.quote(request.build_absolute_uri(reverse("agent-file")))
    return {
        "fetch": f"curl -fsSO {address}",
        "run": f"BENCHAGENT_TOKEN={token} python3 {AGENT} run directory --directory . --server {_server(request)}",
    }


def _server(request: HttpRequest) -> str:
    return shlex.quote(server_of(request))  # some shells would expand [::1] as a pattern


def _page(request: HttpRequest, secret: str | None) -> dict[str, object]:
    """Commands to paste. `secret` is the new token, None before one is made."""
    server, address = _server(request), shlex.quote(request.build_absolute_uri(reverse("agent-file")))
    file, token = agent_file(), secret or PLACEHOLDER
    return {
        "section": "agent",
        "secret": secret,
        "placeholder": PLACEHOLDER,
        "size": say_size(len(file.data)),
        **two_lines(request, token),
        "fetch_with_wget": f"wget -nv -O {AGENT} {address}",
        "check": f"echo '{file.sha256}  {AGENT}' | sha256sum --check",
        "doctor": f"python3 {AGENT} doctor",
        "keep_token": f"(umask 077; printf '%s\\n' {token} > benchagent.token)",
        "run_as_root": f"sudo python3 {AGENT} run demo --server {server} --token-file benchagent.token",
    }
