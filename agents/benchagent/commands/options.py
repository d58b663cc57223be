"""Options that several commands share, and the spool and files that their values name; servers.py has the servers."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from benchagent.errors import UsageError
from benchagent.spool.store import Spool
from benchagent.system.state_directory import state_directory
from benchagent.toml.converters import NAME

SERVER, TOKEN, SPOOL = "BENCHAGENT_SERVER", "BENCHAGENT_TOKEN", "BENCHAGENT_SPOOL"


def add_spool(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--spool",
        metavar="DIR",
        type=Path,
        help=f"directory of documents to send (default: ${SPOOL}, else spool/ in the agent's state directory)",
    )


def add_server(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--server", metavar="URL", help=f"the BenchDB server (default: ${SERVER}, else the config file's)"
    )
    parser.add_argument(
        "--token-file",
        metavar="FILE",
        type=Path,
        help=f"the file that holds the upload token (default: the token in ${TOKEN}, else the config file's)",
    )


def add_work(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--work-dir",
        metavar="DIR",
        type=Path,
        help="directory for images (default: the config file's, else work/ in the state directory)",
    )


def add_json(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--json", action="store_true", help=what)


def add_campaign(parser: argparse.ArgumentParser) -> None:
    """Options of the runs that are measured, and of the devices that may be formatted."""
    parser.add_argument(
        "--yes-wipe",
        metavar="ID",
        action="append",
        default=[],
        help="format this device of the plan without asking; its name in /dev/disk/by-id; may be repeated",
    )
    parser.add_argument("--machine-name", metavar="NAME", type=_name, help="name of this machine")
    parser.add_argument("--visibility", choices=("private", "unlisted", "public"), help="visibility of the runs")
    parser.add_argument(
        "--label", metavar="KEY=VALUE", type=_label, action="append", default=[], help="a label; may be repeated"
    )


def open_spool(args: argparse.Namespace) -> Spool:
    """The spool: --spool, else that of the environment, else in the state directory."""
    return Spool(spool_directory(args))


def spool_directory(args: argparse.Namespace) -> Path:
    """The directory of the spool, which need not exist."""
    named = args.spool or os.environ.get(SPOOL)
    return Path(named) if named else state_directory() / "spool"


def is_there(path: Path) -> bool:
    """Whether a file or directory exists. Raises UsageError if this user has no access."""
    try:
        return path.exists()
    except OSError as error:
        raise UsageError(f"Cannot look at {path}: {error.strerror}.") from None


def read_file(path: Path) -> str:
    """The text of a file that a person named. Raises UsageError if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"Cannot read {path}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise UsageError(f"Cannot read {path}: it is not UTF-8 text.") from None


def _name(value: str) -> str:
    if not NAME.fullmatch(value):
        raise argparse.ArgumentTypeError("a machine's name has up to 64 letters, digits and the signs _ . + -")
    return value


def _label(value: str) -> tuple[str, str]:
    key, separator, text = value.partition("=")
    if not separator or not (0 < len(key) <= 200 and 0 < len(text) <= 200):
        raise argparse.ArgumentTypeError("a label is written KEY=VALUE, each up to 200 characters")
    return key, text
