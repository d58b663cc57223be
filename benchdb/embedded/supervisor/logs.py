"""Writes the services' lines to a file for each in var/log, and to the terminal with time and name."""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Sequence
from io import TextIOWrapper
from logging import Formatter, LogRecord
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TextIO

# Three files of 4 MiB a service at most: enough for days of a small installation, and bounded.
FILE_BYTES = 4 * 1024 * 1024
OLD_FILES = 2
# The number of lines that an error message quotes if a service did not start.
KEPT_LINES = 12

NAME_WIDTH = 8
# Bright ANSI colours without red, which terminals use for errors.
COLOURS = (36, 33, 32, 35, 34, 96)


class Terminal:
    """Prints lines with a name in front, in colour on a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream: TextIO | None = stream
        self._colour = stream.isatty() and "NO_COLOR" not in os.environ
        self._names: list[str] = []

    def write(self, name: str, line: str) -> None:
        """Print one line; after the terminal is closed, only files are written."""
        if self._stream is None:
            return
        try:
            self._stream.write(f"{time.strftime('%H:%M:%S')} {self._prefix(name)} {line}\n")
            self._stream.flush()
        except OSError:
            # A closed terminal or pipe does not concern the services, and every line is in var/log.
            self._stream = None

    def _prefix(self, name: str) -> str:
        text = f"{name:<{NAME_WIDTH}} |"
        if not self._colour:
            return text
        if name not in self._names:
            self._names.append(name)
        return f"\033[{COLOURS[self._names.index(name) % len(COLOURS)]}m{text}\033[0m"


class _PrivateFile(RotatingFileHandler):
    """A file that only its owner can read: its lines may contain names and addresses of private runs."""

    def _open(self) -> TextIOWrapper:
        file = super()._open()
        os.fchmod(file.fileno(), 0o600)
        return file


class ServiceLog:
    """The lines of one service."""

    def __init__(self, name: str, directory: Path, terminal: Terminal | None) -> None:
        self._name = name
        self._terminal = terminal
        self._last: deque[str] = deque(maxlen=KEPT_LINES)
        directory.mkdir(parents=True, exist_ok=True)
        self.path = directory / f"{name}.log"
        self._file = _PrivateFile(self.path, maxBytes=FILE_BYTES, backupCount=OLD_FILES, encoding="utf-8")
        formatter = Formatter("%(asctime)s %(message)s")
        formatter.converter = time.gmtime
        formatter.default_time_format, formatter.default_msec_format = "%Y-%m-%dT%H:%M:%S", "%s.%03dZ"
        self._file.setFormatter(formatter)

    def write(self, line: str) -> None:
        """Log one line."""
        self._last.append(line)
        self._file.emit(LogRecord(self._name, 0, "", 0, line, None, None))
        if self._terminal:
            self._terminal.write(self._name, line)

    def begin(self) -> None:
        """Begin with the lines of another start."""
        self._last.clear()

    def last_lines(self) -> Sequence[str]:
        """The newest lines since the start, for an error message."""
        return tuple(self._last)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def for_people() -> Terminal:
    """Standard output as a terminal log."""
    return Terminal(sys.stdout)
