"""Rates of expensive requests, for each account: an account may have any number of tokens."""

from __future__ import annotations

import threading
from typing import cast

from django.http import HttpRequest
from ninja.throttling import BaseThrottle

from benchdb.http.rate_limits import too_many

from .auth import TokenRequest


class AccountThrottle(BaseThrottle):
    """A rate of requests (`600/m`) for the account of the token. All threads of a server share the counts."""

    def __init__(self, rate: str = "UPLOAD_RATE") -> None:
        self.rate = rate
        self.thread_state = threading.local()

    def allow_request(self, request: HttpRequest) -> bool:
        """Count this request; False if it exceeds the rate."""
        owner = cast(TokenRequest, request).auth.owner_id
        self.thread_state.seconds = too_many(self.rate, f"account {owner}")
        return self.thread_state.seconds is None

    def wait(self) -> float:
        """Seconds until the next period begins."""
        return float(self.thread_state.seconds or 1)
