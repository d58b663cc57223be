"""Who is asking: bearer tokens with a scope, and how often a token may ask."""

from __future__ import annotations

import logging

from django.conf import settings
from django.http import HttpRequest
from ninja.security import HttpBearer
from ninja.throttling import SimpleRateThrottle
from redis.exceptions import RedisError

from benchdb.ingest.models import Scope, Token
from benchdb.ingest.tokens import find_token

from .errors import ApiError

log = logging.getLogger(__name__)


class TokenAuth(HttpBearer):
    """A valid token with the scope; 401 without one, 403 with one that has not the scope."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> Token | None:
        found = find_token(token)
        if found is not None and not found.allows(self.scope):
            raise ApiError(403, "forbidden", f"This token may not {self.scope.value}: it has not that scope.")
        return found


class TokenThrottle(SimpleRateThrottle):
    """So many requests a token. A cache that is down stops nobody: uploads matter more than limits."""

    scope = "upload"

    def __init__(self) -> None:
        super().__init__(settings.UPLOAD_RATE)

    def get_cache_key(self, request: HttpRequest) -> str:
        return self.cache_format % {"scope": self.scope, "ident": request.auth.pk}

    def allow_request(self, request: HttpRequest) -> bool:
        try:
            return bool(super().allow_request(request))
        except RedisError as error:
            log.warning("rate limits are off: the cache does not answer (%s)", error)
            return True
