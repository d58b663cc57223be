"""What this machine offers to queued plans, as the agent reports it to the server: kinds and numbers, no paths."""

from __future__ import annotations

import os
from typing import TypedDict

from benchagent.config import Config
from benchagent.filesystems import made
from benchagent.plan.maintenance import MAINTENANCE
from benchagent.system.programs import find_program
from benchagent.targets.file_systems import known_to_kernel
from benchagent.tools import TOOLS


class Offer(TypedDict):
    """The targets that the config file allows, and what the machine can use.

    `directories` and `devices` are numbers: their paths may contain serial numbers or names of people. `tools` are
    installed; of `file_systems`, the agent finds mkfs and the kernel's driver.
    """

    root: bool
    images: bool
    directories: int
    devices: int
    tools: list[str]
    file_systems: list[str]


def offer_of(config: Config) -> Offer:
    """The offer of this machine now. The first call may take seconds, because it builds fsload."""
    return {
        "root": os.geteuid() == 0,
        "images": config.images,
        "directories": len(config.directories),
        "devices": len(config.devices),
        "tools": [*(name for name, tool in TOOLS.items() if tool.find() is not None), MAINTENANCE],
        "file_systems": [each.name for each in made() if find_program(each.program) and known_to_kernel(each.name)],
    }
