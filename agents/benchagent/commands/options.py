"""Options that several commands share, and what their values open."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from benchagent import config
from benchagent.errors import UsageError
from benchagent.server.client import Client
from benchagent.spool.spool import Spool
from benchagent.system.state_directory import state_directory

SERVER, TOKEN, SPOOL = "BENCHAGENT_SERVER", "BENCHAGENT_TOKEN", "BENCHAGENT_SPOOL"


def add_spool(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--spool",
        metavar="DIR",
        type=Path,
        help=f"where documents wait (default: ${SPOOL}, else spool/ in the agent's state directory)",
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
        help="where images are made (default: the config file's, else work/ in the state directory)",
    )


def add_json(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--json", action="store_true", help=what)


def work_directory(args: argparse.Namespace) -> Path:
    """The agent's own directory of --work-dir, of the config file or in the state directory."""
    return Path(args.work_dir or config.load().work_dir or state_directory() / "work")


def open_spool(args: argparse.Namespace) -> Spool:
    """The spool of --spool, the environment or the state directory."""
    return Spool(spool_directory(args))


def spool_directory(args: argparse.Namespace) -> Path:
    """Where the spool is, or would be."""
    named = args.spool or os.environ.get(SPOOL)
    return Path(named) if named else state_directory() / "spool"


def open_client(args: argparse.Namespace) -> Client | None:
    """The server of --server, the environment or the config file; None where none of them names one.

    Raises UsageError without a token.
    """
    settings = config.load()
    server = args.server or os.environ.get(SERVER) or settings.server
    return Client(server, _token(args, settings, server)) if server else None


def _token(args: argparse.Namespace, settings: config.Config, server: str) -> str:
    """The config file's token is for the config file's server: another one must not get it."""
    if args.token_file is not None:
        return read_file(args.token_file).strip()
    token = os.environ.get(TOKEN, "").strip()
    if not token and settings.token_file is not None and settings.server in (None, server.rstrip("/")):
        token = read_file(settings.token_file).strip()
    if not token:
        raise UsageError(f"There is no token. Give --token-file FILE, or set {TOKEN}.")
    return token


def is_there(path: Path) -> bool:
    """Whether there is such a file or directory. Raises UsageError where this user may not look."""
    try:
        return path.exists()
    except OSError as error:
        raise UsageError(f"Cannot look at {path}: {error.strerror}.") from None


def read_file(path: Path) -> str:
    """A file that a person named. Raises UsageError where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"Cannot read {path}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise UsageError(f"Cannot read {path}: it is not UTF-8 text.") from None
