"""systemd units that start the agent: a service and a timer for a plan, or a service that carries out queued plans.

Pure: text out. See systemd.syntax(7), systemd.service(5), systemd.exec(5), systemd.timer(5).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

# What a service that mounts, formats and measures can do without. Left out on purpose: PrivateDevices and ProtectClock
# (they close disks and loop devices), ProtectKernelTunables (empties caches, sets read-ahead and schedulers),
# ProtectKernelModules (hides which file systems there are as modules), ProtectKernelLogs (I/O errors are evidence),
# ProtectControlGroups (memory limits), ProtectProc (other load is evidence). Mounts stay in the service's own namespace
# and are gone with it.
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
# 143: stopped by SIGTERM, after it gave its plan back. 2, 12, 14: wrong arguments, a faulty config, a token refused.
LASTING = "SuccessExitStatus=143\nRestartPreventExitStatus=2 12 14\n"
STATE = "/var/lib/benchagent"  # root's state directory, which systemd makes


@dataclass(frozen=True)
class UnitSettings:
    """What a unit runs. `writable` are directories besides the state directory; paths are absolute."""

    description: str
    command: tuple[str, ...]
    environment: tuple[tuple[str, str], ...] = ()
    state: str = STATE
    writable: tuple[str, ...] = ()


def oneshot(job: UnitSettings) -> str:
    """A service that ends when the plan is measured; it takes as long as it takes."""
    return _service(job, "Type=oneshot\nTimeoutStartSec=infinity\n")


def lasting(job: UnitSettings) -> str:
    """A service that runs from boot to shutdown. What only a person can mend is not tried again."""
    kind = f"Type=exec\nRestart=on-failure\nRestartSec=1min\n{LASTING}"
    return _service(job, kind) + "\n[Install]\nWantedBy=multi-user.target\n"


def timer(description: str, calendar: str) -> str:
    """Starts the service of the same name. Not caught up after a boot: a machine that starts is no quiet one."""
    when = f"OnCalendar={calendar}\nRandomizedDelaySec=5min\nPersistent=no\n"
    return f"[Unit]\nDescription={_text(description)}\n\n[Timer]\n{when}\n[Install]\nWantedBy=timers.target\n"


def _service(job: UnitSettings, kind: str) -> str:
    """KillMode=mixed: the agent itself ends its tools and unmounts, and is given the time for it."""
    order = "Wants=network-online.target\nAfter=network-online.target local-fs.target time-sync.target\n"
    lines = [f"ExecStart={' '.join(_argument(each) for each in job.command)}"]
    lines += [f"Environment={_quoted(_text(f'{name}={value}'))}" for name, value in job.environment]
    lines.append("KillMode=mixed\nTimeoutStopSec=10min")
    if job.state == STATE:
        lines.append("StateDirectory=benchagent\nStateDirectoryMode=0700")
    writable = [*job.writable, *([] if job.state == STATE else [job.state])]
    if writable:
        lines.append(f"ReadWritePaths={' '.join(_quoted(_text(each)) for each in writable)}")
    body = "\n".join(lines)
    return f"[Unit]\nDescription={_text(job.description)}\n{order}\n[Service]\n{kind}{body}\n{HARDENING}"


def unit_name(name: str) -> str:
    """A name that units may have, out of any text: other characters become hyphens."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip("-.")[:100] or "plan"


def _argument(word: str) -> str:
    """A word of a command line, in which `$` would begin a variable."""
    return _quoted(_text(word).replace("$", "$$"))


def _text(text: str) -> str:
    """`%` begins a specifier in every setting."""
    return text.replace("%", "%%")


def _quoted(word: str) -> str:
    if re.fullmatch(r"[\w./:=@%$,+-]+", word):
        return word
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def is_possible(words: Sequence[str]) -> bool:
    """Whether a unit can hold these words: each on its line, none empty."""
    return all(word and word.isprintable() for word in words)
