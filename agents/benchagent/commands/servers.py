"""The server that the options of a command name, else the environment, else the config file."""

from __future__ import annotations

import argparse
import os

from benchagent.client import Server
from benchagent.config import Config, load
from benchagent.errors import UsageError
from benchagent.server.client import Client
from benchagent.server.signing import Signer

from . import options


def open_client(args: argparse.Namespace) -> Client | None:
    """A client of the server: --server, else that of the environment, else of the config file; None if there is none.

    Raises UsageError if there is no token.
    """
    settings = load()
    server = args.server or os.environ.get(options.SERVER) or settings.server
    if not server:
        return None
    if (token := _token(args, settings, server)) is None:
        raise UsageError(f"There is no token. Give --token-file FILE, or set {options.TOKEN}.")
    return Client(server, token, signer=None if settings.signing_key is None else Signer(settings.signing_key))


def open_server(args: argparse.Namespace) -> Server:
    """The server to read from, as in `open_client`; public data need no token. Raises UsageError if none is named."""
    settings = load()
    server = args.server or os.environ.get(options.SERVER) or settings.server
    if not server:
        raise UsageError(f"There is no server. Give --server URL, or set {options.SERVER}.")
    return Server(server, _token(args, settings, server))


def _token(args: argparse.Namespace, settings: Config, server: str) -> str | None:
    """The token, if any. That of the config file is for the config file's server; others must not get it."""
    if args.token_file is not None:
        return options.read_file(args.token_file).strip()
    token = os.environ.get(options.TOKEN, "").strip()
    if not token and settings.token_file is not None and settings.server in (None, server.rstrip("/")):
        token = options.read_file(settings.token_file).strip()
    return token or None
