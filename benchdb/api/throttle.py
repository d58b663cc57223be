"""Rates of expensive requests, for each token or each account."""

from __future__ import annotations

import threading
from typing import cast

from django.http import HttpRequest
from ninja.throttling import BaseThrottle

from benchdb.http.rate_limits import too_many

from .auth import TokenRequest


class TokenThrottle(BaseThrottle):
    """A rate of requests (`600/m`): `UPLOAD_RATE` for each token, other rates for each account.

    All threads of a server share the counts.
    """

    def __init__(self, rate: str = "UPLOAD_RATE") -> None:
        self.rate = rate
        self.thread_state = threading.local()

    def allow_request(self, request: HttpRequest) -> bool:
        """Count this request; False if it exceeds the rate."""
        token = cast(TokenRequest, request).auth
        who = f"token {token.pk}" if self.rate == "UPLOAD_RATE" else f"account {token.owner_id}"
        self.thread_state.seconds = too_many(self.rate, who)
        return self.thread_state.seconds is None

    def wait(self) -> float:
        """Seconds until the next period begins."""
        return float(self.thread_state.seconds or 1)
