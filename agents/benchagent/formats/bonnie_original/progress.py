"""Lines that Bonnie and bonnie++ print around their numbers: progress, errors and cautions."""

from __future__ import annotations

import re

from benchagent.formats.vocabulary import BONNIE_TESTS

# A line of progress; after the dots comes "done", or an error.
_PROGRESS = re.compile(
    r"(?:Writing with putc\(\)|Writing a byte at a time|Writing intelligently|Rewriting|Reading with getc\(\)"
    r"|Reading a byte at a time|Reading intelligently|start 'em"
    r"|(?:Create|Stat|Delete) files in (?:sequential|random) order)\.\.\."
)
PROGRESS_TESTS = {
    "Writing with putc()": "char_write",
    "Writing a byte at a time": "char_write",
    "Writing intelligently": "block_write",
    "Rewriting": "block_rewrite",
    "Reading with getc()": "char_read",
    "Reading a byte at a time": "char_read",
    "Reading intelligently": "block_read",
    "start 'em": "random_seek",
    "Create files in sequential order": "seq_create",
    "Stat files in sequential order": "seq_stat",
    "Delete files in sequential order": "seq_delete",
    "Create files in random order": "random_create",
    "Stat files in random order": "random_stat",
    "Delete files in random order": "random_delete",
}
_DONE = re.compile(r"(?:\s|\.|done|Seeker [0-9])*'?\s*")
_ERROR = re.compile(
    r"Bonnie: drastic I/O error|Can't |Error |Exceeded CPU usage|exceeded file storage limits"
    r"|Cleaning up test directory"
)
_CAUTION = re.compile(r"Can't sync directory, turning off dir-sync|Can't handle SIG|Bonnie: Warning")


class BonnieProgress:
    """Follows the progress. ``test`` is the test that was not finished according to the last line of progress."""

    def __init__(self) -> None:
        self.test: str | None = None
        self.line = 0
        self.words: list[str] = []

    def begins_anew(self, line: str) -> bool:
        """Whether a line belongs to another run, so that the test in progress was never finished."""
        match = _PROGRESS.match(line.strip()) if self.test is not None and "..." in line else None
        if match is None or self.test is None:
            return False
        return bool(self.words) or BONNIE_TESTS.index(PROGRESS_TESTS[match[0][:-3]]) <= BONNIE_TESTS.index(self.test)

    def take(self, line: str, number: int) -> bool:
        """Read one line; False if it is neither progress nor an error of a test in progress."""
        text = line.strip()
        if "..." in text and (match := _PROGRESS.match(text)):
            rest = text[match.end() :]
            words = "" if _DONE.fullmatch(rest) else rest.strip()
            finished = "done" in rest[:200] and not words
            self.test, self.line = (None if finished else PROGRESS_TESTS[match[0][:-3]]), number
            self.words = [words] if words else []
            return True
        if self.test is None or not _ERROR.match(text):
            return False
        self.words.append(text)
        return True

    def take_failure(self) -> tuple[str, int, str] | None:
        """(test, line, bonnie++'s words) of the unfinished test; a second call returns None."""
        test, self.test = self.test, None
        if test is None:
            return None
        return test, self.line, "; ".join(self.words) or "bonnie++ was interrupted here: it printed nothing further"


def is_caution(line: str) -> bool:
    return _CAUTION.match(line.strip()) is not None


def is_error(line: str) -> bool:
    return _ERROR.match(line.strip()) is not None
