"""What identifies a snapshot: its digest, and the fingerprints of its components."""

from __future__ import annotations

import hashlib
import json
from typing import Any

Facts = dict[str, Any]

COMPONENTS = {
    "cpu": ("cpu",),
    "memory": ("memory",),
    "numa": ("numa_nodes",),
    "kernel": ("kernel",),
    "os": ("os",),
    "virtualization": ("virtualization",),
    "storage": ("block_devices", "raid_arrays", "controllers"),
}


def digest(facts: object) -> bytes:
    """SHA-256 of the canonical JSON (sorted keys, no white space), 32 bytes."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True, separators=(",", ":")).encode()).digest()


def fingerprints(environment: Facts) -> dict[str, str]:
    """One digest per component, so that a comparison of two runs finds differing components without their facts."""
    return {
        component: digest([environment.get(key) for key in keys]).hex()[:16] for component, keys in COMPONENTS.items()
    }
