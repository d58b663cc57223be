"""Keys and signatures by the real ssh-keygen."""

import subprocess
from pathlib import Path

from django.contrib.auth.models import User

from benchagent.server.signing import Signer
from benchdb.signatures.models import SigningKey
from benchdb.signatures.services import add_key, challenge_text, new_challenge


def make_key(directory: Path, name: str = "key", kind: str = "ed25519") -> Path:
    """A new key without a passphrase; its public line is in `NAME.pub`."""
    path = directory / name
    subprocess.run(["ssh-keygen", "-q", "-t", kind, "-N", "", "-C", "agent", "-f", str(path)], check=True)
    return path


def proof(key: Path, text: str) -> str:
    """The signature that proves to have the key, as ssh-keygen prints it."""
    command = ["ssh-keygen", "-Y", "sign", "-n", "benchdb-key", "-f", str(key)]
    return subprocess.run(command, input=text, capture_output=True, check=True, text=True).stdout


def registered_key(owner: User, name: str, key: Path) -> SigningKey:
    """The key, after the owner has registered it."""
    challenge = new_challenge(owner)
    return add_key(owner, name, challenge, proof(key, challenge_text(owner, challenge)))


def signed(key: Path, document: bytes) -> str:
    """The signature as the agent sends it."""
    return Signer(key)(document)


def signed_otherwise(key: Path, document: bytes, namespace: str) -> str:
    """A signature in another namespace, or by a key that the agent would not use."""
    command = ["ssh-keygen", "-Y", "sign", "-n", namespace, "-f", str(key)]
    made = subprocess.run(command, input=document, capture_output=True, check=True)
    return "".join(made.stdout.decode().splitlines()[1:-1])
