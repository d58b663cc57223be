"""Identifies this machine by an id that is meaningful to BenchDB only.

The id is derived as by systemd's sd_id128_get_machine_app_specific(3): HMAC-SHA-256 of the application's id, keyed with
/etc/machine-id. The machine's own id cannot be computed from it, nor the machine be recognised in other applications.
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

from .facts import MachineIdentity
from .source import Source

APPLICATION = bytes.fromhex("6d1c7b0a5f3e4a6c9b0e2f8d4c7a1e93")  # id of BenchDB's agent; must never change
ID_FILE = "machine-id"
# Words of a processor's name that do not distinguish it from others, and its clock.
NOISE = re.compile(
    r"\((?:r|tm|c)\)|\b(?:intel|amd|cpu|processor|genuine|authentic|(?:\d+|dual|quad|six|eight)-core)\b"
    r"|\b(?:with|w/) radeon.*|@.*|\bv?\d+(?:\.\d+)?\s*[gm]hz\b",
    re.IGNORECASE,
)


def machine(name: str | None = None, source: Source | None = None, state: Path | None = None) -> MachineIdentity:
    """The machine's name and id. The id has 64 hexadecimal digits and stays the same as long as /etc/machine-id does.

    The default name consists of the processor and the first digits of the id, such as `xeon-e5345-3f9a`; the host name
    is never used. If /etc/machine-id is missing, a random id is created once and kept in `state` (the agent's state
    directory). Raises NoMachineId if that is impossible, because runs of a machine with a new id each time are useless.
    """
    source = source or Source()
    key = host_id(source.text("/etc/machine-id")) or stored_id(state or state_directory())
    identity = hmac.new(key, APPLICATION, hashlib.sha256).hexdigest()
    return {"name": name or default_name(source, identity), "machine_id": identity}


def host_id(text: str | None) -> bytes | None:
    """The 16 bytes of /etc/machine-id; None for an image's placeholder (empty, `uninitialized`, all zero)."""
    text = (text or "").strip()
    return bytes.fromhex(text) if re.fullmatch(r"[0-9a-f]{32}", text) and text.strip("0") else None


def stored_id(directory: Path) -> bytes:
    """The random id kept in `directory`, created if there is none. Raises NoMachineId if neither is possible."""
    try:
        stored = _read_or_create_id(directory / ID_FILE)
    except OSError as error:
        raise NoMachineId(directory / ID_FILE, error.strerror) from error
    if stored is None:
        raise NoMachineId(directory / ID_FILE, "it holds something else")
    return stored


def _read_or_create_id(path: Path) -> bytes | None:
    """The id in a file; two agents that start at the same time get the same id."""
    stored = _read_id(path)
    if stored is not None:
        return stored
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_name(f".{ID_FILE}.{secrets.token_hex(4)}")
    fresh.write_text(secrets.token_hex(16) + "\n", encoding="ascii")
    try:
        os.link(fresh, path)  # fails if another agent was faster; a rename would replace its id
    except FileExistsError:
        pass
    finally:
        fresh.unlink()
    return _read_id(path)


def default_name(source: Source, identity: str) -> str:
    """The processor and four digits of the id; for a guest with a generic processor name, its hypervisor."""
    processor = cpu(source)
    words = re.findall(r"[a-z0-9]+", NOISE.sub(" ", processor["model"] or "").lower())
    if not words or words == ["xeon"] or words[0] in ("qemu", "common", "virtual"):
        kind = virtualization(source)["kind"]
        words += [kind] if kind not in (None, "none") else []
    return "-".join([*(words or [(processor["architecture"] or "machine").replace("_", "-")]), identity[:4]])


def _read_id(path: Path) -> bytes | None:
    try:
        return host_id(path.read_text(encoding="ascii", errors="replace"))
    except FileNotFoundError:
        return None
