"""Writes systemd units that start the agent: a service and a timer for a plan, or a service for queued plans.

Pure functions that return text. See systemd.syntax(7), systemd.service(5), systemd.exec(5), systemd.timer(5).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

# The restrictions that a service that mounts, formats and measures can have. Not included on purpose: PrivateDevices
# and ProtectClock (they close disks and loop devices), ProtectKernelTunables (empties caches, sets read-ahead and
# schedulers), ProtectKernelModules (hides which file systems are available as modules), ProtectKernelLogs (I/O errors
# are evidence), ProtectControlGroups (memory limits), ProtectProc (other load is evidence). Mounts stay in the
# service's own namespace and are gone with it.
HARDENING = """\
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=yes
ProtectHostname=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallArchitectures=native
CapabilityBoundingSet=~CAP_SYS_MODULE CAP_SYS_BOOT CAP_SYS_TIME CAP_NET_ADMIN CAP_NET_RAW CAP_MAC_ADMIN CAP_MAC_OVERRIDE
UMask=0077
"""
# 143: stopped by SIGTERM, after giving back the plan. 2, 12, 14: wrong arguments, invalid config, token refused.
LASTING = "SuccessExitStatus=143\nRestartPreventExitStatus=2 12 14\n"
STATE = "/var/lib/benchagent"  # root's state directory, which systemd creates


@dataclass(frozen=True)
class UnitSettings:
    """The command of a unit and its surroundings. `writable` excludes the state directory; paths are absolute."""

    description: str
    command: tuple[str, ...]
    environment: tuple[tuple[str, str], ...] = ()
    state: str = STATE
    writable: tuple[str, ...] = ()


def oneshot(settings: UnitSettings) -> str:
    """A service that ends when the plan is measured, without a time limit."""
    return _service(settings, "Type=oneshot\nTimeoutStartSec=infinity\n")


def lasting(settings: UnitSettings) -> str:
    """A service that runs from boot to shutdown, and does not restart after errors that only a person can remedy."""
    kind = f"Type=exec\nRestart=on-failure\nRestartSec=1min\n{LASTING}"
    return _service(settings, kind) + "\n[Install]\nWantedBy=multi-user.target\n"


def timer(description: str, calendar: str) -> str:
    """A timer for the service of the same name.

    Missed times are not caught up after a boot, when the machine is busy.
    """
    when = f"OnCalendar={calendar}\nRandomizedDelaySec=5min\nPersistent=no\n"
    return f"[Unit]\nDescription={_text(description)}\n\n[Timer]\n{when}\n[Install]\nWantedBy=timers.target\n"


def _service(settings: UnitSettings, kind: str) -> str:
    """The text of a service. With KillMode=mixed, the agent itself ends its tools and unmounts within a time limit."""
    order = "Wants=network-online.target\nAfter=network-online.target local-fs.target time-sync.target\n"
    lines = [f"ExecStart={' '.join(_argument(word) for word in settings.command)}"]
    lines += [f"Environment={_quoted(_text(f'{name}={value}'))}" for name, value in settings.environment]
    lines.append("KillMode=mixed\nTimeoutStopSec=10min")
    if settings.state == STATE:
        lines.append("StateDirectory=benchagent\nStateDirectoryMode=0700")
    writable = [*settings.writable, *([] if settings.state == STATE else [settings.state])]
    if writable:
        lines.append(f"ReadWritePaths={' '.join(_quoted(_text(path)) for path in writable)}")
    body = "\n".join(lines)
    return f"[Unit]\nDescription={_text(settings.description)}\n{order}\n[Service]\n{kind}{body}\n{HARDENING}"


def unit_name(name: str) -> str:
    """A valid unit name for any text; other characters become hyphens."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip("-.")[:100] or "plan"


def _argument(word: str) -> str:
    """A word of a command line, with `$` escaped, which would begin a variable."""
    return _quoted(_text(word).replace("$", "$$"))


def _text(text: str) -> str:
    """A text with `%` escaped, which would begin a specifier."""
    return text.replace("%", "%%")


def _quoted(word: str) -> str:
    if re.fullmatch(r"[\w./:=@%$,+-]+", word):
        return word
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def is_possible(words: Sequence[str]) -> bool:
    """Whether a unit can contain these words: all printable, none empty."""
    return all(word and word.isprintable() for word in words)
