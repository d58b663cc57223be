"""Sign-ins that fail, as pages of ours."""

from __future__ import annotations

import logging

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

log = logging.getLogger(__name__)


class SignInRefused(Exception):
    """Nobody is signed in. `cause` is for the log and has neither codes nor tokens."""

    def __init__(self, status: int, message: str, why: str, cause: str = "") -> None:
        self.status, self.message, self.why = status, message, why
        self.cause = cause or message
        super().__init__(self.cause)


def refused(request: HttpRequest, error: SignInRefused) -> HttpResponse:
    """The page of a sign-in that failed."""
    log.warning("sign-in refused: %s", error.cause)
    # The masthead leads nobody back here: the address may have a code.
    return render(request, "web/sign_in_refused.html", {"error": error, "without_next": True}, status=error.status)
