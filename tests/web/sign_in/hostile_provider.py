"""An OpenID provider whose answers a test chooses: what a certified one never sends, and an attacker might."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

KEY, OTHER_KEY = (RSAKey.generate_key(2048, {"kid": "of-the-tests"}) for _ in range(2))
CLIENT, SECRET = "benchdb", "a-secret-of-the-tests"


@dataclass
class Hostile:
    """Answers by path; `requests` are the paths that were asked for."""

    issuer: str
    metadata: dict[str, Any] = field(default_factory=dict)
    token: tuple[int, str] = (200, "{}")
    user_info: dict[str, Any] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)

    def answer(self, path: str) -> tuple[int, str]:
        """The status and the body for a path."""
        self.requests.append(path)
        if path == "/.well-known/openid-configuration":
            return 200, json.dumps({**self._usual(), **self.metadata})
        if path == "/jwks":
            return 200, json.dumps({"keys": [KEY.as_dict(private=False)]})
        return (200, json.dumps(self.user_info)) if path == "/me" else self.token

    def _usual(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/auth",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            "userinfo_endpoint": f"{self.issuer}/me",
            "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
        }

    def says(self, sent: str, *, key: RSAKey = KEY, **claims: Any) -> None:
        """Let the token's address answer with a signed ID token for the nonce `sent`; a claim of None is left out."""
        now = int(time.time())
        usual = {"iss": self.issuer, "aud": CLIENT, "sub": "17", "nonce": sent, "iat": now, "exp": now + 300}
        every = {"preferred_username": "grace", **usual, **claims}
        content = {name: value for name, value in every.items() if value is not None}
        self.sends(jwt.encode({"alg": "RS256", "kid": "of-the-tests"}, content, key))

    def sends(self, id_token: str) -> None:
        """Let the token's address answer with this ID token."""
        self.token = 200, json.dumps({"access_token": "secret-access", "token_type": "Bearer", "id_token": id_token})


@contextmanager
def hostile() -> Iterator[Hostile]:
    """A server on the loopback address."""
    chosen = Hostile("")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = chosen.answer(urlsplit(self.path).path)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(body.encode())

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.do_GET()

        def log_message(self, format: str, *arguments: object) -> None:
            """Nothing: the output of tests is for failures."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        chosen.issuer = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield chosen
        finally:
            server.shutdown()
            thread.join()
