"""The second factor of an account: a code of an authenticator app (TOTP, RFC 6238), or a recovery code.

django-otp stores the keys, compares the codes, takes none twice and makes each wrong code cost twice the wait of the
one before. A code is compared under a lock of its device, so that two requests cannot use the same one.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from benchdb.audit.models import Action
from benchdb.audit.services import record_own

VERIFIED = "second_factor"  # in a session: signed in with a second factor
PENDING = "second_factor_of"  # in a session: whose password was right
PENDING_SECONDS = 300
PROVED_AT = "proved_at"  # in a session: when its reader last showed who they are
RECOVERY_CODES = 10
_APP_CODE = re.compile(r"[0-9]{6}")


class WrongCode(Exception):
    """The code is wrong or used; `seconds` is the time to wait before the next one counts, 0 for none."""

    def __init__(self, seconds: int = 0) -> None:
        self.seconds = seconds
        super().__init__()


@dataclass(frozen=True, slots=True)
class PendingSignIn:
    """Who has sent the right password, and the page after signing in."""

    user: User
    address: str


def is_on(user: User) -> bool:
    """Whether the account has a second factor; one query."""
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


def is_missing(request: HttpRequest) -> bool:
    """Whether the site requires a second factor of this account, and the session was signed in without one."""
    required = settings.SECOND_FACTOR == "staff" and (request.user.is_staff or request.user.is_superuser)
    return bool(required and not request.session.get(VERIFIED))


def begin(user: User) -> None:
    """Make a new key that counts when its first code was sent; nothing if the second factor is on."""
    with transaction.atomic():
        if not is_on(user):
            waiting(user).delete()
            TOTPDevice.objects.create(user=user, name="app", confirmed=False)


def waiting(user: User) -> QuerySet[TOTPDevice]:
    """The keys whose first code was not sent yet: at most one."""
    devices: QuerySet[TOTPDevice] = TOTPDevice.objects.filter(user=user, confirmed=False)
    return devices


def confirm(request: HttpRequest, user: User, code: str) -> list[str]:
    """Turn the second factor on with the first code of the new key. Returns recovery codes. Raises WrongCode."""
    with transaction.atomic():
        device = None if is_on(user) else waiting(user).select_for_update().first()
        right = device is not None and bool(device.verify_token(_plain(code)))
        if device is not None and right:
            TOTPDevice.objects.filter(user=user).exclude(pk=device.pk).delete()
            device.confirmed = True
            device.save()
            codes = _new_codes(user)
            _note(request, user, "on")
    if not right:
        raise WrongCode(_wait(device))
    request.session[VERIFIED] = True
    return codes


def new_codes(request: HttpRequest, user: User, code: str) -> list[str]:
    """Replace the recovery codes. Raises WrongCode."""
    verify(user, code)
    with transaction.atomic():
        _note(request, user, "new recovery codes")
        return _new_codes(user)


def codes_left(user: User) -> int:
    """The number of unused recovery codes."""
    return int(StaticToken.objects.filter(device__user=user).count())


def turn_off(request: HttpRequest, user: User, code: str) -> None:
    """Turn the second factor off. Raises WrongCode."""
    verify(user, code)
    with transaction.atomic():
        remove(user)
        _note(request, user, "off")
    request.session.pop(VERIFIED, None)


def remove(user: User) -> None:
    """Delete the keys and the recovery codes of an account."""
    TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()


def verify(user: User, code: str) -> None:
    """Accept a code of the app, or a recovery code, once. Raises WrongCode."""
    plain = _plain(code)
    devices = TOTPDevice if _APP_CODE.fullmatch(plain) else StaticDevice
    with transaction.atomic():  # keeps the count of wrong codes, so the exception comes after it
        device = devices.objects.select_for_update().filter(user=user, confirmed=True).first()
        right = device is not None and device.verify_token(plain)
    if not right:
        raise WrongCode(_wait(device))


def remember(request: HttpRequest, user: User, address: str) -> None:
    """Note in the session that the password of `user` was right; they are not signed in."""
    request.session[PENDING] = [user.pk, user.get_session_auth_hash(), int(time.time()) + PENDING_SECONDS, address]


def signs_in(request: HttpRequest) -> None:
    """Note that somebody signs in, and forget whose password was right before."""
    request.session.pop(PENDING, None)
    request.session[PROVED_AT] = int(time.time())


def pending(request: HttpRequest) -> PendingSignIn | None:
    """Who has sent the right password in the last minutes, unless it was changed meanwhile."""
    user_id, digest, until, address = request.session.get(PENDING) or (0, "", 0, "")
    user = User.objects.filter(pk=int(user_id), is_active=True).first() if until > time.time() else None
    return PendingSignIn(user, address) if user and user.get_session_auth_hash() == digest else None


def _new_codes(user: User) -> list[str]:
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name="recovery", confirmed=True)
    codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=device, token=code) for code in codes)
    return [f"{code[:4]}-{code[4:]}" for code in codes]


def _plain(code: str) -> str:
    """A code without the blanks and hyphens that people copy or type."""
    return re.sub(r"[\s-]", "", code).lower()[:16].replace("\x00", "?")


def _wait(device: TOTPDevice | StaticDevice | None) -> int:
    """Seconds for which no code of the device counts."""
    _, why = device.verify_is_allowed() if device is not None else (True, None)
    until = (why or {}).get("locked_until")
    return max(1, int((until - timezone.now()).total_seconds()) + 1) if until else 0


def _note(request: HttpRequest, user: User, detail: str) -> None:
    """An entry of the audit trail if the account is of the staff."""
    if user.is_staff or user.is_superuser:
        record_own(request, user, Action.SECOND_FACTOR, detail)
