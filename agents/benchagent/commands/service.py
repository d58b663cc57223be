"""`benchagent service`: prints systemd units that measure a plan again and again, or carry out queued plans."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable
from pathlib import Path

import benchagent
from benchagent import config
from benchagent.errors import UsageError
from benchagent.plan.reading import load
from benchagent.planning.shipped import plan_argument

from . import options
from .systemd_units import STATE, UnitSettings, is_possible, lasting, oneshot, timer, unit_name

FOLDER = "/etc/systemd/system"
STATE_VARIABLE = "BENCHAGENT_STATE"
PLACES = (STATE_VARIABLE, config.CONFIG, options.SPOOL)  # variables that the unit must have as this shell has them


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "service",
        help="print systemd units that start the agent by itself",
        description="Print a systemd service and timer that measure PLAN, or a service that runs `benchagent serve`. "
        "They run as root. Nothing is installed.",
    )
    parser.add_argument("plan", metavar="PLAN", nargs="?", help="a TOML file, or the name of a shipped plan")
    parser.add_argument("--serve", action="store_true", help="carry out plans that are queued on the server")
    parser.add_argument(
        "--calendar", metavar="WHEN", default="daily", help="when to measure PLAN, see systemd.time(7) (%(default)s)"
    )
    parser.add_argument("--directory", metavar="DIR", type=Path, help="where directory targets of the plan are")
    options.add_work(parser)
    options.add_server(parser)
    parser.add_argument("--write", metavar="DIR", type=Path, help="write the units into this directory")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Raises UsageError where a unit cannot be made of the arguments."""
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
    """The units by their file names; the last one is what starts the others."""
    if args.serve == (args.plan is not None):
        raise UsageError("Name a PLAN, or say --serve.")
    if args.serve:
        directories = config.load().directories
        job = _job(args, "BenchDB agent: carries out queued plans", ["serve"], directories)
        return {"benchagent-serve.service": lasting(job)}
    name = unit_name(f"benchagent-{Path(args.plan).stem}")
    directory = [f"--directory={args.directory.absolute()}"] if args.directory else []
    description = f"BenchDB agent: measures {args.plan}"
    job = _job(args, description, ["run", _plan(args.plan), *directory], _directories(args))
    if not is_possible([args.calendar]):
        raise UsageError("--calendar is empty, or has characters that a unit cannot hold.")
    return {f"{name}.service": oneshot(job), f"{name}.timer": timer(description, args.calendar)}


def _plan(name: str) -> str:
    """The plan as the unit has it: a file by its whole path, a shipped plan by its name."""
    try:
        found = plan_argument(name)
    except argparse.ArgumentTypeError as error:
        raise UsageError(f"{error}.") from None
    return str(found.absolute()) if found == Path(name) else name


def _directories(args: argparse.Namespace) -> list[str]:
    """Where the plan measures: --directory, else what it names itself. Raises PlanError where it is faulty."""
    if args.directory is not None:
        return [str(args.directory.absolute())]
    plan = load(options.read_file(plan_argument(args.plan)))
    return [os.path.abspath(each.path) for each in plan.targets if each.kind == "directory" and each.path]


def _job(args: argparse.Namespace, description: str, what: list[str], directories: Iterable[str]) -> UnitSettings:
    """`directories` are those that the unit may write into besides the agent's own."""
    command, environment = own_command()
    if args.work_dir is not None:
        what += [f"--work-dir={args.work_dir.absolute()}"]
    words = [*command, *what, *_server(args)]
    named = {name: os.path.abspath(os.environ[name]) for name in PLACES if os.environ.get(name)}
    environment = (*environment, *named.items())
    state, work = named.get(STATE_VARIABLE), args.work_dir or config.load().work_dir
    own = [str(work.absolute())] if work else []
    own += [named[options.SPOOL]] if options.SPOOL in named else []
    writable = tuple(dict.fromkeys((*directories, *own)))
    if not is_possible([*words, description, *writable, *(value for _, value in environment)]):
        raise UsageError("A path or name is empty, or has characters that a unit cannot hold.")
    place = state or STATE
    return UnitSettings(description, tuple(words), environment, place, writable)


def _server(args: argparse.Namespace) -> list[str]:
    """The server and its token; the token in a file, because everybody may read units. Else the config file's."""
    server = args.server or os.environ.get(options.SERVER)
    if args.token_file is not None:
        token = [f"--token-file={args.token_file.absolute()}"]
    elif server or os.environ.get(options.TOKEN):
        raise UsageError("A unit cannot hold the token. Keep it in a file that only root may read: --token-file FILE.")
    else:
        token = []
    return [*([f"--server={server}"] if server else []), *token]


def own_command() -> tuple[list[str], tuple[tuple[str, str], ...]]:
    """How this agent was started, from any directory, and the environment that it needs for it."""
    package, python = Path(benchagent.__file__).absolute().parent, os.path.abspath(sys.executable)
    if package.parent.is_file():  # the one file
        return [python, str(package.parent)], ()
    script = Path(python).with_name("benchagent")
    if script.is_file():  # pip and pipx put it beside their Python
        return [str(script)], ()
    return [python, "-m", "benchagent"], (("PYTHONPATH", str(package.parent)),)


def _write(units: dict[str, str], folder: Path) -> None:
    for name, text in units.items():
        try:
            (folder / name).write_text(text)
        except OSError as error:
            raise UsageError(f"Cannot write {folder / name}: {error.strerror}.") from None
        print(folder / name)
