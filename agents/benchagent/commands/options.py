"""Options that several commands share, and the objects that their values name."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from benchagent import config
from benchagent.client import Server
from benchagent.errors import UsageError
from benchagent.server.client import Client
from benchagent.server.signing import Signer
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


def work_directory(args: argparse.Namespace) -> Path:
    """The work directory: --work-dir, else that of the config file, else in the state directory."""
    return Path(args.work_dir or config.load().work_dir or state_directory() / "work")


def open_spool(args: argparse.Namespace) -> Spool:
    """The spool: --spool, else that of the environment, else in the state directory."""
    return Spool(spool_directory(args))


def spool_directory(args: argparse.Namespace) -> Path:
    """The directory of the spool, which need not exist."""
    named = args.spool or os.environ.get(SPOOL)
    return Path(named) if named else state_directory() / "spool"


def open_client(args: argparse.Namespace) -> Client | None:
    """A client of the server: --server, else that of the environment, else of the config file; None if there is none.

    Raises UsageError if there is no token.
    """
    settings = config.load()
    server = args.server or os.environ.get(SERVER) or settings.server
    if not server:
        return None
    if (token := _token(args, settings, server)) is None:
        raise UsageError(f"There is no token. Give --token-file FILE, or set {TOKEN}.")
    return Client(server, token, signer=None if settings.signing_key is None else Signer(settings.signing_key))


def open_server(args: argparse.Namespace) -> Server:
    """The server to read from, as in `open_client`; public data need no token. Raises UsageError if none is named."""
    settings = config.load()
    server = args.server or os.environ.get(SERVER) or settings.server
    if not server:
        raise UsageError(f"There is no server. Give --server URL, or set {SERVER}.")
    return Server(server, _token(args, settings, server))


def _token(args: argparse.Namespace, settings: config.Config, server: str) -> str | None:
    """The token, if any. That of the config file is for the config file's server; others must not get it."""
    if args.token_file is not None:
        return read_file(args.token_file).strip()
    token = os.environ.get(TOKEN, "").strip()
    if not token and settings.token_file is not None and settings.server in (None, server.rstrip("/")):
        token = read_file(settings.token_file).strip()
    return token or None


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
