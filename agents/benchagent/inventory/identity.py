"""Which machine this is, without telling which machine it is.

The id is made as systemd's sd_id128_get_machine_app_specific(3) makes one: HMAC-SHA-256 of the application's id, keyed
with /etc/machine-id. Nobody can compute the machine's own id from it, nor recognise the machine in another application.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from pathlib import Path

from benchagent.errors import NoMachineId
from benchagent.inventory.machine.cpu import cpu
from benchagent.inventory.machine.virtualization import virtualization
from benchagent.system.state_directory import state_directory

from .source import Source

APPLICATION = bytes.fromhex("6d1c7b0a5f3e4a6c9b0e2f8d4c7a1e93")  # of BenchDB's agent; never to be changed
OWN_ID = "machine-id"
# Words of a processor's name that tell it from no other, and its clock.
NOISE = re.compile(
    r"\((?:r|tm|c)\)|\b(?:intel|amd|cpu|processor|genuine|authentic|(?:\d+|dual|quad|six|eight)-core)\b"
    r"|\b(?:with|w/) radeon.*|@.*|\bv?\d+(?:\.\d+)?\s*[gm]hz\b",
    re.IGNORECASE,
)


def machine(name: str | None = None, source: Source | None = None, state: Path | None = None) -> dict[str, str]:
    """`{name, machine_id}`. The id is 64 hexadecimal digits, the same as long as /etc/machine-id is.

    Without a given name the machine is called by its processor and the first digits of its id: `xeon-e5345-3f9a`. The
    host name is never used. Where /etc/machine-id is missing, an id is made once and kept in `state` (the agent's state
    directory); raises NoMachineId where that is impossible, because a machine that is new each time helps nobody.
    """
    source = source or Source()
    key = host_id(source.text("/etc/machine-id")) or own_id(state or state_directory())
    identity = hmac.new(key, APPLICATION, hashlib.sha256).hexdigest()
    return {"name": name or default_name(source, identity), "machine_id": identity}


def host_id(text: str | None) -> bytes | None:
    """The 16 bytes of /etc/machine-id; None for an image's placeholder (empty, `uninitialized`, all zero)."""
    text = (text or "").strip()
    return bytes.fromhex(text) if re.fullmatch(r"[0-9a-f]{32}", text) and text.strip("0") else None


def own_id(directory: Path) -> bytes:
    """The random id kept in `directory`, made now if there is none. Raises NoMachineId where it can be neither."""
    try:
        found = _kept_id(directory / OWN_ID)
    except OSError as error:
        raise NoMachineId(directory / OWN_ID, error.strerror) from error
    if found is None:
        raise NoMachineId(directory / OWN_ID, "it holds something else")
    return found


def _kept_id(path: Path) -> bytes | None:
    """Two agents that start together agree on one."""
    known = _read_id(path)
    if known is not None:
        return known
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_name(f".{OWN_ID}.{secrets.token_hex(4)}")
    fresh.write_text(secrets.token_hex(16) + "\n", encoding="ascii")
    try:
        os.link(fresh, path)  # fails where another agent was quicker; a rename would replace its id
    except FileExistsError:
        pass
    finally:
        fresh.unlink()
    return _read_id(path)


def default_name(source: Source, identity: str) -> str:
    """The processor and four digits of the id; for a guest its hypervisor where the processor's name is generic."""
    found = cpu(source)
    words = re.findall(r"[a-z0-9]+", NOISE.sub(" ", found["model"] or "").lower())
    if not words or words == ["xeon"] or words[0] in ("qemu", "common", "virtual"):
        kind = virtualization(source)["kind"]
        words += [kind] if kind not in (None, "none") else []
    return "-".join([*(words or [(found["architecture"] or "machine").replace("_", "-")]), identity[:4]])


def _read_id(path: Path) -> bytes | None:
    try:
        return host_id(path.read_text(encoding="ascii", errors="replace"))
    except FileNotFoundError:
        return None
