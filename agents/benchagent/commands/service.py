"""`benchagent service`: prints systemd units that measure a plan repeatedly, or execute queued plans."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import benchagent
from benchagent import config
from benchagent.errors import UsageError
from benchagent.plan.reading import load
from benchagent.planning.shipped import plan_argument
from benchagent.system.other_users import refuse_unsafe

from . import options

FOLDER = "/etc/systemd/system"
STATE_VARIABLE = "BENCHAGENT_STATE"
PATH_VARIABLES = (STATE_VARIABLE, config.CONFIG, options.SPOOL)  # the unit gets their values from this shell


def declare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Print a systemd service and timer that measure PLAN, or a service that runs `benchagent serve`. "
        "They run as root. Nothing is installed."
    )
    parser.add_argument("plan", metavar="PLAN", nargs="?", help="a TOML file, or the name of a shipped plan")
    parser.add_argument("--serve", action="store_true", help="run plans that are queued on the server")
    parser.add_argument(
        "--calendar", metavar="WHEN", default="daily", help="when to measure PLAN, see systemd.time(7) (%(default)s)"
    )
    parser.add_argument("--directory", metavar="DIR", type=Path, help="directory for the plan's directory targets")
    options.add_work(parser)
    options.add_server(parser)
    parser.add_argument("--write", metavar="DIR", type=Path, help="write the units into this directory")


def run(args: argparse.Namespace) -> int:
    """Print or write the units. Raises UsageError if the arguments do not allow a unit."""
    units = _units(args)
    if args.write is None:
        for name, text in units.items():
            print(f"# {FOLDER}/{name}\n{text}")
    else:
        _write(units, args.write)
    started = next(reversed(units))
    print(f"After they are in {FOLDER}: systemctl daemon-reload && systemctl enable --now {started}", file=sys.stderr)
    return 0


def _units(args: argparse.Namespace) -> dict[str, str]:
    """The units by file name; the last unit starts the others."""
    if args.serve == (args.plan is not None):
        raise UsageError("Name a PLAN, or say --serve.")
    if args.serve:
        directories = config.load().directories
        settings = _settings(args, "BenchDB agent: runs queued plans", ["serve"], directories)
        return {"benchagent-serve.service": lasting(settings)}
    name = unit_name(f"benchagent-{Path(args.plan).stem}")
    directory = [f"--directory={args.directory.absolute()}"] if args.directory else []
    description = f"BenchDB agent: measures {args.plan}"
    settings = _settings(args, description, ["run", _plan(args.plan), *directory], _directories(args))
    if not is_possible([args.calendar]):
        raise UsageError("--calendar is empty, or has characters that a unit cannot hold.")
    return {f"{name}.service": oneshot(settings), f"{name}.timer": timer(description, args.calendar)}


def _plan(name: str) -> str:
    """The plan's argument in the unit: the absolute path of a file, or the name of a shipped plan."""
    try:
        path = plan_argument(name)
    except argparse.ArgumentTypeError as error:
        raise UsageError(f"{error}.") from None
    return str(path.absolute()) if path == Path(name) else name


def _directories(args: argparse.Namespace) -> list[str]:
    """The directories in which the plan measures: --directory, else those it names.

    Raises PlanError if it has faults.
    """
    if args.directory is not None:
        return [str(args.directory.absolute())]
    plan = load(options.read_file(plan_argument(args.plan)))
    return [os.path.abspath(target.path) for target in plan.targets if target.kind == "directory" and target.path]


def _settings(
    args: argparse.Namespace, description: str, arguments: list[str], directories: Iterable[str]
) -> UnitSettings:
    """The settings of a unit, which may write into `directories` besides the agent's own."""
    command, environment = own_command()
    if args.work_dir is not None:
        arguments += [f"--work-dir={args.work_dir.absolute()}"]
    words = [*command, *arguments, *_server(args)]
    named = {name: os.path.abspath(os.environ[name]) for name in PATH_VARIABLES if os.environ.get(name)}
    environment = (*environment, *named.items())
    state, work = named.get(STATE_VARIABLE), args.work_dir or config.load().work_dir
    agent_directories = [str(work.absolute())] if work else []
    agent_directories += [named[options.SPOOL]] if options.SPOOL in named else []
    writable = tuple(dict.fromkeys((*directories, *agent_directories)))
    if not is_possible([*words, description, *writable, *(value for _, value in environment)]):
        raise UsageError("A path or name is empty, or has characters that a unit cannot hold.")
    return UnitSettings(description, tuple(words), environment, state or STATE, writable)


def _server(args: argparse.Namespace) -> list[str]:
    """The options for server and token file, none if both are in the config file.

    The token itself must be in a file, because everybody may read units.
    """
    server = args.server or os.environ.get(options.SERVER)
    if args.token_file is not None:
        token = [f"--token-file={args.token_file.absolute()}"]
    elif server or os.environ.get(options.TOKEN):
        raise UsageError("A unit cannot hold the token. Keep it in a file that only root may read: --token-file FILE.")
    else:
        token = []
    return [*([f"--server={server}"] if server else []), *token]


def own_command() -> tuple[list[str], tuple[tuple[str, str], ...]]:
    """A command that starts this agent from any directory, and the environment that the command needs."""
    package, python = Path(benchagent.__file__).absolute().parent, os.path.abspath(sys.executable)
    if package.parent.is_file():  # the .pyz file
        return [python, str(package.parent)], ()
    script = Path(python).with_name("benchagent")
    if script.is_file():  # pip and pipx install it beside their Python
        return [str(script)], ()
    return [python, "-m", "benchagent"], (("PYTHONPATH", str(package.parent)),)


def _write(units: dict[str, str], folder: Path) -> None:
    refuse_unsafe(folder, own=True)
    for name, text in units.items():
        try:
            (folder / name).write_text(text)
        except OSError as error:
            raise UsageError(f"Cannot write {folder / name}: {error.strerror}.") from None
        print(folder / name)


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
