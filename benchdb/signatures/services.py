"""Registers and revokes keys, checks signatures, and stores them with their documents."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from benchdb.runs.models import Run

from .models import Signature, SigningKey
from .sshsig import BadSignature, fingerprint, read_key, read_signature, verify

MOST_KEYS = 50  # of an account, revoked ones included


@dataclass(frozen=True, slots=True)
class CheckedSignature:
    """A signature of these bytes, by the key inside it."""

    text: str
    key: bytes
    document: bytes


class KeyRefused(Exception):
    """Why a key is not registered, as a sentence."""


def check_signature(owner: User, text: str, document: bytes) -> CheckedSignature:
    """The signature, if its key has signed the document and `owner` did not revoke the key. Raises BadSignature."""
    read = read_signature(text)
    verify(read, document)
    revoked = SigningKey.objects.filter(owner=owner, fingerprint=fingerprint(read.key), revoked_at__lte=timezone.now())
    if (key := revoked.first()) is not None and key.revoked_at is not None:
        raise BadSignature(f"its key was revoked on {key.revoked_at:%Y-%m-%d}")
    return CheckedSignature(text, read.key, document)


def keep_signature(run: Run, checked: CheckedSignature) -> None:
    """Store a signature with the document of its new run, inside the caller's transaction."""
    Signature.objects.create(
        run=run,
        fingerprint=fingerprint(checked.key),
        key=checked.key,
        signature="".join(checked.text.split()),
        document=gzip.compress(checked.document, mtime=0),
    )


def add_key(owner: User, name: str, line: str) -> SigningKey:
    """Register the public key in a line of a `.pub` file. Raises KeyRefused."""
    try:
        key = read_key(line)
    except BadSignature as error:
        raise KeyRefused(f"This is not a key that can be registered: {error}.") from None
    if owner.signing_keys.count() >= MOST_KEYS:
        raise KeyRefused(f"An account has at most {MOST_KEYS} keys.")
    try:
        with transaction.atomic():
            return SigningKey.objects.create(owner=owner, name=name, key=key, fingerprint=fingerprint(key))
    except IntegrityError:
        raise KeyRefused("Your account has this key already.") from None


def revoke_key(key: SigningKey, since: datetime) -> None:
    """Revoke a key from `since` on; a second call does not change the time of the first."""
    SigningKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=min(since, timezone.now()))
