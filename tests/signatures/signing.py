"""Keys and signatures by the real ssh-keygen."""

from __future__ import annotations

import subprocess
from pathlib import Path

from benchagent.server.signing import Signer


def make_key(directory: Path, name: str = "key", kind: str = "ed25519") -> Path:
    """A new key without a passphrase; its public line is in `NAME.pub`."""
    path = directory / name
    subprocess.run(["ssh-keygen", "-q", "-t", kind, "-N", "", "-C", "agent", "-f", str(path)], check=True)
    return path


def public_line(key: Path) -> str:
    """The line of the public key."""
    return key.with_suffix(".pub").read_text()


def signed(key: Path, document: bytes) -> str:
    """The signature as the agent sends it."""
    return Signer(key)(document)


def signed_otherwise(key: Path, document: bytes, namespace: str) -> str:
    """A signature in another namespace, or by a key that the agent would not use."""
    command = ["ssh-keygen", "-Y", "sign", "-n", namespace, "-f", str(key)]
    made = subprocess.run(command, input=document, capture_output=True, check=True)
    return "".join(made.stdout.decode().splitlines()[1:-1])
