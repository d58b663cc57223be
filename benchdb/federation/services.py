"""Adds sources."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from benchdb.identity import guests

from .models import LONGEST_NAME, Source

LOOPBACK = ("localhost", "127.0.0.1", "::1")


class SourceRefused(Exception):
    """Why a source is not added; a sentence for each fault."""


def add_source(name: str, address: str, owner: User) -> Source:
    """Read the public runs of the server at `address` from now on, for `owner`. Raises SourceRefused."""
    faults = []
    if not re.fullmatch(rf"[\w.-]{{1,{LONGEST_NAME}}}", name):
        faults.append(f"The name {name!r} must be of up to {LONGEST_NAME} letters, digits, dots and hyphens.")
    if not _is_allowed(address):
        faults.append(f"{address!r} is not an address that begins with https:// (http:// only on this machine).")
    if not owner.is_active or guests.is_guest(owner):
        faults.append(f"The account {owner.get_username()} cannot own runs of a source: it is inactive or a guest's.")
    if faults:
        raise SourceRefused("\n".join(faults))
    try:
        with transaction.atomic():
            return Source.objects.create(name=name, address=address.rstrip("/"), owner=owner)
    except IntegrityError:
        raise SourceRefused("There is a source of this name or address already.") from None


def _is_allowed(address: str) -> bool:
    """Whether the address has TLS, or stays on this machine."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    if parts.username or parts.query or parts.fragment or not host or len(address) > 500:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and host in LOOPBACK)
