"""Registers and revokes keys, checks signatures, and stores them with their documents."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.core import signing
from django.db import IntegrityError, transaction
from django.utils import timezone

from benchdb.runs.models import Run

from .models import Signature, SigningKey
from .sshsig import OF_KEYS, BadSignature, fingerprint, read_signature, verify

SALT = "benchdb.signatures.challenge"
CHALLENGE_SECONDS = 3600
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
        # Higher levels take seconds for each MiB of some texts.
        document=gzip.compress(checked.document, compresslevel=1, mtime=0),
    )


def new_challenge(owner: User) -> str:
    """A token for `challenge_text`, good for an hour."""
    return signing.dumps(owner.pk, salt=SALT)


def challenge_text(owner: User, challenge: str) -> str:
    """The text that `owner` signs with a key of theirs."""
    return f"a key of {owner.get_username()}: {challenge}"


def add_key(owner: User, name: str, challenge: str, proof: str) -> SigningKey:
    """Register the key that has signed the text of a challenge. Raises KeyRefused."""
    _check_challenge(owner, challenge)
    try:
        read = read_signature(proof, OF_KEYS)
        verify(read, challenge_text(owner, challenge).encode())
    except BadSignature as error:
        raise KeyRefused(f"This does not prove that the key is yours: {error}.") from None
    of_key = fingerprint(read.key)
    known = owner.signing_keys.filter(fingerprint=of_key).first()
    if known is not None and (known.proved or known.revoked_at):
        raise KeyRefused("Your account has this key already.")
    if known is None and owner.signing_keys.count() >= MOST_KEYS:
        raise KeyRefused(f"An account has at most {MOST_KEYS} keys.")
    try:
        with transaction.atomic():
            columns = {"name": name, "key": read.key, "proved": True}
            return SigningKey.objects.update_or_create(owner=owner, fingerprint=of_key, defaults=columns)[0]
    except IntegrityError:
        raise KeyRefused("Another account has this key. A key is of one account at a time.") from None


def _check_challenge(owner: User, challenge: str) -> None:
    """Raises KeyRefused unless the challenge is of this account and not too old."""
    try:
        of_account = signing.loads(challenge, salt=SALT, max_age=CHALLENGE_SECONDS)
    except signing.BadSignature:
        of_account = None
    if of_account != owner.pk:
        raise KeyRefused("The text is older than an hour, or of another account. Sign the new one.")


def revoke_key(key: SigningKey, since: datetime) -> None:
    """Revoke a key from `since` on; a second call does not change the time of the first."""
    SigningKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=min(since, timezone.now()))
