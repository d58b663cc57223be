"""The signature of a run for its page, and the files for verifying it offline."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from benchdb.runs.models import Run

from .models import Signature, SigningKey
from .sshsig import NAMESPACE, armored, key_line

DOCUMENT, SIGNATURE, SIGNERS = "document.json", "document.json.sig", "allowed_signers"


@dataclass(frozen=True, slots=True)
class SignedFile:
    """A file for `ssh-keygen -Y verify`."""

    media_type: str
    content: bytes


def shown_signature(run: Run) -> dict[str, object] | None:
    """The signature of a run in words, by the keys that its owner has now; None without one. Two queries at most."""
    signature = Signature.objects.filter(run=run).defer("document").first()
    if signature is None:
        return None
    key = SigningKey.objects.filter(owner=run.runstate.owner_id, fingerprint=signature.fingerprint, proved=True).first()
    # The signature of a run in words, and the addresses of the files for verifying it; `signer` is the name in them. It
    # is `verified` if a key of the owner made it and was not revoked when the document arrived.
    return {
        "text": _words(run, key),
        "verified": key is not None and _counts(key, run.received_at),
        "fingerprint": signature.fingerprint,
        "document": _address(run, DOCUMENT),
        "signature": _address(run, SIGNATURE),
        "signers": _address(run, SIGNERS),
        "signer": signer_of(run),
    }


def signed_file(run: Run, name: str) -> SignedFile | None:
    """One of the three files; None for another name, or without a signature."""
    if name not in (DOCUMENT, SIGNATURE, SIGNERS):
        return None
    found = Signature.objects.filter(run=run)
    signature = (found if name == DOCUMENT else found.defer("document")).first()
    if signature is None:
        return None
    if name == DOCUMENT:
        return SignedFile("application/json", gzip.decompress(bytes(signature.document)))
    if name == SIGNATURE:
        return SignedFile("text/plain; charset=utf-8", armored(signature.signature).encode())
    line = f'{signer_of(run)} namespaces="{NAMESPACE}" {key_line(bytes(signature.key))}\n'
    return SignedFile("text/plain; charset=utf-8", line.encode())


def signer_of(run: Run) -> str:
    """The principal in `allowed_signers`: names of accounts may have characters that mean something there."""
    return f"account-{run.runstate.owner_id}"


def _address(run: Run, name: str) -> str:
    return reverse("run-signed", args=[run.pk, name])


def _counts(key: SigningKey, received_at: datetime) -> bool:
    """Whether the key was not revoked when the document arrived: the time in the document is the signer's word."""
    return key.revoked_at is None or key.revoked_at > received_at


def _words(run: Run, key: SigningKey | None) -> str:
    if key is None:
        return "Signed by an unknown key"
    name = f"{run.runstate.owner.get_username()}, key “{key.name}”"
    if key.revoked_at is None:
        return f"Signed by {name}: verified"
    since = f"{key.revoked_at:%Y-%m-%d}"
    if _counts(key, run.received_at):
        return f"Signed by {name}: verified; revoked on {since}, after this upload"
    return f"Signed by {name}: the key was revoked on {since}, before this upload"
