"""Signs documents with `ssh-keygen -Y sign`, by a key file or by the key that ssh-agent has for a `.pub` file."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from benchagent.system.programs import find_program

from .answers import NotNow

SIGNATURE = "BenchDB-Signature"  # the header: the signature in base64, on one line
NAMESPACE = "benchdb"
SECONDS = 60  # a key in hardware waits for a touch


class Signer:
    """A key of OpenSSH. An Ed25519 signature of the same bytes is always the same, so an upload can be repeated."""

    def __init__(self, key: Path) -> None:
        self._key = key

    def __call__(self, document: bytes) -> str:
        """The signature in base64. Raises NotNow if the key cannot sign; the documents then wait in the spool."""
        command = [find_program("ssh-keygen") or "ssh-keygen", "-Y", "sign", "-n", NAMESPACE, "-f", str(self._key)]
        # A process without a terminal does not ask for the passphrase of a key; ssh-agent has such keys.
        environment = {**os.environ, "SSH_ASKPASS_REQUIRE": "never", "LC_ALL": "C"}
        try:
            ended = subprocess.run(
                command,
                input=document,
                capture_output=True,
                timeout=SECONDS,
                start_new_session=True,
                env=environment,
                check=False,
            )
        except FileNotFoundError:
            raise self._failed("ssh-keygen is not installed (Debian package: openssh-client)") from None
        except (OSError, subprocess.SubprocessError) as error:
            raise self._failed(str(error)) from None
        lines = ended.stdout.decode("ascii", "replace").splitlines()
        if ended.returncode or len(lines) < 3:
            words = ended.stderr.decode("utf-8", "replace").strip().splitlines()
            raise self._failed(words[-1][:200] if words else f"exit code {ended.returncode}")
        return "".join(line for line in lines if not line.startswith("-----"))

    def _failed(self, why: str) -> NotNow:
        return NotNow(f"{self._key} cannot sign: {why}. Nothing was sent.")
