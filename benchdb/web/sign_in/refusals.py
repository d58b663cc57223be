"""Sign-ins that fail, as pages of ours."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse

from benchdb.http.rendering import render_page

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RefusedPage:
    """The context of web/sign_in_refused.html."""

    message: str
    why: str
    status: int
    without_next: bool = True  # the address may have a code


class SignInRefused(Exception):
    """Nobody is signed in. `cause` is for the log and has neither codes nor tokens."""

    def __init__(self, status: int, message: str, why: str, cause: str = "") -> None:
        self.page = RefusedPage(message, why, status)
        self.cause = cause or message
        super().__init__(self.cause)


def refused(request: HttpRequest, error: SignInRefused) -> HttpResponse:
    """The page of a sign-in that failed."""
    log.warning("sign-in refused: %s", error.cause)
    return render_page(request, "web/sign_in_refused.html", error.page, status=error.page.status)
