"""The OpenID provider of this site: Authlib carries out the authorization code flow with PKCE, state and nonce.

Its metadata are kept for some minutes. Its keys are read again for every sign-in, so it may change them at any time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache as cache_of_function
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from redis.exceptions import RedisError

from benchdb.http.outgoing import RequestException, Response, bounded
from benchdb.http.rate_limits import key_of
from benchdb.identity.services import is_mail_address

from .refusals import SignInRefused

if TYPE_CHECKING:
    from authlib.integrations.django_client import DjangoOAuth2App

NAME = "oidc"
SCOPE = "openid profile email"
ADDRESSES = ("authorization_endpoint", "token_endpoint", "jwks_uri")  # without which nobody can sign in
KEPT_SECONDS = 300  # of the metadata
STATE_SECONDS = 3600  # for which Authlib takes one
MOST_STATES = 5  # of a session: one for each sign-in that was begun, the oldest go first
PATIENCE_SECONDS = 1  # until another request of this process has its answer
# A provider that does not answer holds one thread of a process, and a second one for a moment.
_answering, _waiting = BoundedSemaphore(1), BoundedSemaphore(2)
LEEWAY_SECONDS = 60  # that the two clocks may differ
LONGEST_SUBJECT = 255  # OpenID Connect Core, 2
# Signatures with the provider's private key only: not "none", and not with the client's secret.
ALGORITHMS = {f"{family}{bits}" for family in ("RS", "PS", "ES") for bits in (256, 384, 512)} | {"EdDSA", "Ed25519"}
AGAIN = "Nobody was signed in and nothing was changed. Start the sign-in once more."


@dataclass(frozen=True, slots=True)
class Person:
    """Whom the provider has identified. `subject` is its id of the person; `email` is empty unless it is verified."""

    issuer: str
    subject: str
    name: str
    email: str


@dataclass(frozen=True, slots=True)
class Purpose:
    """Why somebody goes to the provider: the page afterwards, and the id of the account that it connects, if any."""

    address: str
    connects: int | None = None


def is_on() -> bool:
    """Whether this site has a provider."""
    return bool(settings.OIDC_ISSUER)


def begin(request: HttpRequest, callback: str, purpose: Purpose) -> str:
    """The provider's address for a new sign-in, which the session remembers. Raises SignInRefused."""
    with _understood():
        app = _app()
        # People who are signed in here show once more who they are, also there.
        begun = app.create_authorization_url(callback, **({"prompt": "login"} if request.user.is_authenticated else {}))
        app.save_authorize_data(
            request, redirect_uri=callback, address=purpose.address, connects=purpose.connects, **begun
        )
        for key in [key for key in dict(request.session) if key.startswith(f"_state_{NAME}_")][:-MOST_STATES]:
            request.session.pop(key)
        return str(begun["url"])


def finish(request: HttpRequest) -> tuple[Person, Purpose]:
    """Whom the provider has identified in its answer, which counts once. Raises SignInRefused."""
    state, session = request.GET.get("state", ""), request.session
    key = f"_state_{NAME}_{state}"
    if not state or key not in session:
        raise _expired()
    with suppress(RedisError):  # requests of one session at a time all read it before one of them removes the state
        if not cache.add(f"oidc-state:{key_of(state)}", 1, STATE_SECONDS):
            raise _expired("the state was used before")
    begun = session[key]["data"]
    purpose = Purpose(begun["address"], begun["connects"])
    if request.GET.get("iss", settings.OIDC_ISSUER) != settings.OIDC_ISSUER:  # RFC 9207
        session.pop(key)
        raise _unacceptable("the answer is of another issuer")
    if error := request.GET.get("error"):
        session.pop(key)
        raise _denied(error)
    with _understood():
        app = _app()
        options = {
            "iss": {"essential": True, "value": settings.OIDC_ISSUER},
            "aud": {"essential": True, "value": settings.OIDC_CLIENT_ID},
        }
        token = app.authorize_access_token(request, claims_options=options, leeway=LEEWAY_SECONDS)
        claims = token.get("userinfo")
        if not claims:
            raise _unacceptable("there is no ID token")
        return _person(claims, app, token), purpose


def sign_out_address(after: str) -> str | None:
    """The provider's address that ends its own session, if it has one. Raises SignInRefused."""
    with _understood():
        app = _app()
        if not app.server_metadata.get("end_session_endpoint"):
            return None
        return str(app.create_logout_url(after, client_id=settings.OIDC_CLIENT_ID)["url"])


def _app() -> DjangoOAuth2App:
    """Authlib's client of the provider, with its metadata."""
    from authlib.integrations.django_client import DjangoIntegration  # only sites with a provider

    app = _client_class()(
        DjangoIntegration(NAME),
        name=NAME,
        client_id=settings.OIDC_CLIENT_ID,
        client_secret=settings.OIDC_CLIENT_SECRET,
        server_metadata_url=f"{settings.OIDC_ISSUER.rstrip('/')}/.well-known/openid-configuration",
        client_kwargs={"scope": SCOPE, "code_challenge_method": "S256"},
    )
    metadata = _metadata(app)
    algorithms = metadata.get("id_token_signing_alg_values_supported", ["RS256"])
    if not isinstance(algorithms, list):
        raise _unacceptable("the provider's metadata have no list of signing algorithms")
    common = sorted(ALGORITHMS.intersection(algorithms))
    if not common:  # of an empty list, the library would make its own, with the client's secret
        raise _unacceptable("the provider signs with none of the algorithms that this site takes")
    metadata["id_token_signing_alg_values_supported"] = common
    app.client_kwargs["token_endpoint_auth_method"] = _authentication(metadata)
    return app


def _metadata(app: DjangoOAuth2App) -> dict[str, object]:
    """What the provider says about itself, kept for some minutes. Raises SignInRefused if they are useless."""
    key, kept = f"oidc:{settings.OIDC_ISSUER}", None
    with suppress(RedisError):  # a site without its cache asks the provider each time
        kept = cache.get(key)
    app.server_metadata.update(kept or {})
    metadata: dict[str, object] = app.load_server_metadata()
    if metadata.get("issuer") != settings.OIDC_ISSUER:
        raise _unacceptable(f"the provider's metadata are of the issuer {metadata.get('issuer')!r:.200}")
    if not all(str(metadata.get(name)).startswith(("https://", "http://")) for name in ADDRESSES):
        raise _unacceptable(f"the provider's metadata have no {', '.join(ADDRESSES)}")
    if kept is None:
        with suppress(RedisError):
            cache.set(key, dict(metadata), KEPT_SECONDS)
    return metadata


@cache_of_function
def _client_class() -> type[DjangoOAuth2App]:
    """Authlib's client, whose sessions keep the limits of `outgoing`."""
    from authlib.integrations.django_client import DjangoOAuth2App
    from authlib.integrations.requests_client import OAuth2Session

    class ProviderSession(OAuth2Session):  # type: ignore[misc]
        def __init__(self, *arguments: object, **options: object) -> None:
            super().__init__(*arguments, **options)
            bounded(self, public_only=False)  # the administrator chose the address

        def request(self, *arguments: object, **options: object) -> Response:
            with _held(_waiting, 0), _held(_answering, PATIENCE_SECONDS):
                answer: Response = super().request(*arguments, **options)
                return answer

    class ProviderClient(DjangoOAuth2App):  # type: ignore[misc]
        client_cls = ProviderSession

    return ProviderClient


@contextmanager
def _held(places: BoundedSemaphore, seconds: float) -> Iterator[None]:
    if not places.acquire(timeout=seconds):
        raise RequestException("other sign-ins wait for it")
    try:
        yield
    finally:
        places.release()


def _authentication(metadata: Mapping[str, object]) -> str:
    """How the client proves its secret: by HTTP's own means, unless the provider takes it in the form only."""
    if not settings.OIDC_CLIENT_SECRET:
        return "none"
    methods = metadata.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
    basic = isinstance(methods, list) and "client_secret_basic" in methods
    return "client_secret_basic" if basic else "client_secret_post"


def _person(claims: Mapping[str, object], app: DjangoOAuth2App, token: Mapping[str, object]) -> Person:
    """The person in the claims of a verified ID token; providers may give names at another address only."""
    subject, wanted = claims["sub"], settings.OIDC_NAME_CLAIM
    if wanted not in claims and app.server_metadata.get("userinfo_endpoint"):
        more = app.userinfo(token=token)
        if more.get("sub") != subject:
            raise _unacceptable("the user info is of another subject")
        claims = {**more, **claims}
    if not isinstance(subject, str) or not subject or len(subject) > LONGEST_SUBJECT or not subject.isprintable():
        raise _unacceptable("the subject is no text, empty, too long or not printable")
    verified, email = claims.get("email_verified") is True, str(claims.get("email") or "")
    return Person(
        issuer=settings.OIDC_ISSUER,
        subject=subject,
        name=str(claims.get(wanted) or "")[:200],
        email=email if verified and is_mail_address(email) else "",
    )


@contextmanager
def _understood() -> Iterator[None]:
    """Turn everything that a provider's answer can raise into SignInRefused: it may be down, or send anything."""
    from authlib.integrations.base_client import OAuthError
    from joserfc.errors import JoseError

    try:
        yield
    except RequestException as error:
        why = "The server could not reach it. Try again in a few minutes; pages that need no account work as usual."
        cause = f"the provider is unreachable: {type(error).__name__}"
        raise SignInRefused(503, f"{settings.OIDC_LABEL} does not answer", why, cause) from None
    except OAuthError as error:
        if error.error == "mismatching_state":
            raise _expired() from None
        if error.error == "invalid_grant":  # a code that was used before, or is too old
            raise _expired("the provider takes the code no more") from None
        raise _unacceptable(f"the provider answered {error.error!r:.100}") from None
    except JoseError as error:
        raise _unacceptable(f"the ID token is not valid: {error}") from None
    except (ValueError, LookupError, TypeError, AttributeError, RuntimeError, ArithmeticError, AssertionError) as error:
        raise _unacceptable(f"an answer of the provider is not what it should be: {type(error).__name__}") from None


def _expired(cause: str = "the state is unknown to the session") -> SignInRefused:
    why = "It was finished before, took more than an hour, or was started in another browser."
    return SignInRefused(400, "This sign-in is not valid any more", f"{why} {AGAIN}", cause)


def _denied(error: str) -> SignInRefused:
    if error in ("access_denied", "consent_required", "login_required", "interaction_required"):
        return SignInRefused(
            403, f"{settings.OIDC_LABEL} did not sign you in", f"You or it refused. {AGAIN}", error[:100]
        )
    return _unacceptable(f"the provider answered {error!r:.100}")


def _unacceptable(cause: str) -> SignInRefused:
    why = (
        f"{AGAIN} If it fails again, tell the administrator: the log has the reason, which may be the settings of "
        "either side or a wrong clock."
    )
    return SignInRefused(502, f"The answer of {settings.OIDC_LABEL} was not accepted", why, cause)
