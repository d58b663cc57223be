"""Reads and verifies signatures of `ssh-keygen -Y sign` (OpenSSH's PROTOCOL.sshsig), with Ed25519 keys only.

In this process and not by calling ssh-keygen: a request starts no program and writes no file, and sizes are bounded.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import struct
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

NAMESPACE = "benchdb"  # of documents
OF_KEYS = "benchdb-key"  # of the text with which an account proves that a key is its own
_ARMOR = re.compile(r"-----(?:BEGIN|END) SSH SIGNATURE-----")
MAGIC = b"SSHSIG"
VERSION = 1
ED25519 = b"ssh-ed25519"
HASHES = {b"sha512": hashlib.sha512, b"sha256": hashlib.sha256}
LONGEST = 2048  # characters of a signature in base64; that of an Ed25519 key has about 250
# Points of Ed25519 whose order divides 8 have these y, or p - y: any text has a signature by such a key.
_FIELD = 2**255 - 19
_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826  # d·y⁴ + 2·y² = 1
_WEAK = frozenset(sign * y % _FIELD for y in (0, 1, _ORDER_8) for sign in (1, -1))
LINE = 70  # characters of a line, as ssh-keygen writes them


class BadSignature(Exception):
    """Why a signature or a key is refused, as the end of a sentence."""


@dataclass(frozen=True, slots=True)
class SshSignature:
    """A signature with the public key inside it, both as OpenSSH encodes them; `namespace` is its purpose."""

    key: bytes
    namespace: bytes
    hash_name: bytes
    signature: bytes


def read_signature(text: str, wanted: str = NAMESPACE) -> SshSignature:
    """The signature in base64 for this purpose, with or without the lines around it in a file. Raises BadSignature."""
    text = _ARMOR.sub("", text)
    if len(text) > LONGEST:
        raise BadSignature(f"it is longer than {LONGEST} characters")
    try:
        blob = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise BadSignature("it is not base64") from None
    if not blob.startswith(MAGIC):
        raise BadSignature("it is not in OpenSSH's format")
    parts = _Parts(blob[len(MAGIC) :])
    if parts.number() != VERSION:
        raise BadSignature("it has another version of OpenSSH's format")
    key, namespace, _reserved, hash_name, signature = (parts.text() for _ in range(5))
    parts.end()
    kind, raw = _pair(signature)
    if kind != ED25519 or len(raw) != 64:
        raise BadSignature("it is not by an Ed25519 key")
    if namespace != wanted.encode():
        shown = namespace[:40].decode("ascii", "replace")
        raise BadSignature(f"its namespace is {shown!r} instead of {wanted!r}")
    if hash_name not in HASHES:
        raise BadSignature("it has another hash than SHA-512 or SHA-256")
    return SshSignature(_key(key), namespace, hash_name, raw)


def verify(signature: SshSignature, message: bytes) -> None:
    """Raises BadSignature unless the key inside the signature has signed exactly these bytes."""
    digest = HASHES[signature.hash_name](message).digest()
    parts = (signature.namespace, b"", signature.hash_name, digest)
    signed = MAGIC + b"".join(map(_packed, parts))
    try:
        Ed25519PublicKey.from_public_bytes(_pair(signature.key)[1]).verify(signature.signature, signed)
    except (InvalidSignature, ValueError):
        raise BadSignature("it is not a signature of this text") from None


def fingerprint(key: bytes) -> str:
    """`SHA256:…`, as `ssh-keygen -l` prints it."""
    return f"SHA256:{base64.b64encode(hashlib.sha256(key).digest()).decode().rstrip('=')}"


def key_line(key: bytes) -> str:
    """`ssh-ed25519 AAAA…`."""
    return f"{ED25519.decode()} {base64.b64encode(key).decode()}"


def armored(text: str) -> str:
    """The signature as a file that `ssh-keygen -Y verify -s` reads."""
    bare = "".join(text.split())
    lines = [bare[start : start + LINE] for start in range(0, len(bare), LINE)]
    return "\n".join(["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""])


def _key(blob: bytes) -> bytes:
    kind, raw = _pair(blob)
    if kind != ED25519 or len(raw) != 32:
        raise BadSignature("it is not an Ed25519 key")
    y = int.from_bytes(raw, "little") % 2**255  # the highest bit is the sign of x
    if y >= _FIELD or y in _WEAK:
        raise BadSignature("its key is weak: anybody could sign with it")
    return blob


def _pair(blob: bytes) -> tuple[bytes, bytes]:
    """The kind of a key or signature and its content."""
    parts = _Parts(blob)
    pair = parts.text(), parts.text()
    parts.end()
    return pair


def _packed(text: bytes) -> bytes:
    return struct.pack(">I", len(text)) + text


class _Parts:
    """The fields of a binary text of OpenSSH, in order; each raises BadSignature if it is cut short."""

    def __init__(self, blob: bytes) -> None:
        self._rest = blob

    def number(self) -> int:
        number: int = struct.unpack(">I", self._take(4))[0]
        return number

    def text(self) -> bytes:
        return self._take(self.number())

    def end(self) -> None:
        if self._rest:
            raise BadSignature("something follows its end")

    def _take(self, size: int) -> bytes:
        if size > len(self._rest):
            raise BadSignature("it is cut short")
        taken, self._rest = self._rest[:size], self._rest[size:]
        return taken
