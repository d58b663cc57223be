"""What stands around bonnie++'s numbers: its progress and its words about failures, command lines, and what people
wrote between several runs, by which these are told apart."""

from __future__ import annotations

import re
from collections.abc import Iterable

from benchagent.formats.timing_figures import read_figures
from benchagent.formats.vocabulary import BONNIE_TESTS

# What bonnie++ says it is doing; what follows the dots is "done", or what went wrong.
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
_KNOWN = re.compile(
    r"Using uid:[0-9]|format_version,bonnie_version|name,file_size,putc|Version: +[0-9.]+[a-z]?\s*$|done\.?\s*$"
    r"|Seeker [0-9]\.\.\.|[^\w+]*$"
)
_DATE = re.compile(
    r"(?:[A-Z][a-z]{2},? +){1,2}[0-9]{1,2} +[0-9:]{5,8} +(?:[AP]M +)?(?:[A-Z+0-9-]{2,6} +)?[0-9]{4}\s*$"
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.,+Z-]{5,32})?\s*$"
)
_PROMPT = re.compile(r"\S{1,64}@\S{1,128}[#$%>] ?$|[#$%] ?$")
_COMMAND = re.compile(r"(?:^|[\s(;/])(bonnie\+\+ +-[^;|>)&\r\n]{1,400})")
_NUMBER = re.compile(r"(?<![\w.])[0-9]{1,9}(?![\w.])")
_LONGEST = 80
_FEWEST_OF_A_SERIES = 3


class Progress:
    """Follows what bonnie++ says it is doing. ``test`` is what it had not finished when it last said so."""

    def __init__(self) -> None:
        self.test: str | None = None
        self.line = 0
        self.words: list[str] = []

    def begins_anew(self, line: str) -> bool:
        """Whether a line says that another run has begun, so that the test in progress was never finished."""
        match = _PROGRESS.match(line.strip()) if self.test is not None and "..." in line else None
        if match is None or self.test is None:
            return False
        return bool(self.words) or BONNIE_TESTS.index(PROGRESS_TESTS[match[0][:-3]]) <= BONNIE_TESTS.index(self.test)

    def take(self, line: str, number: int) -> bool:
        """Read one line; False where it is neither progress nor an error of a test in progress."""
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
        """(test, line, bonnie++'s words) of the test that was not finished, once."""
        test, self.test = self.test, None
        if test is None:
            return None
        return test, self.line, "; ".join(self.words) or "bonnie++ was interrupted here: it printed nothing further"


def is_caution(line: str) -> bool:
    return _CAUTION.match(line.strip()) is not None


def is_error(line: str) -> bool:
    return _ERROR.match(line.strip()) is not None


def is_known(line: str) -> bool:
    """Whether a line says nothing a result needs: bonnie++'s chatter, rules, dates, prompts."""
    text = line.strip()
    if len(text) > 2000:
        return False
    return bool(_KNOWN.match(text) or (text[-1:].isdigit() and _DATE.match(text)) or _PROMPT.match(text))


def is_time(line: str) -> bool:
    """Whether a line is of `time bonnie++ …`, which another format reads."""
    return len(line) < 200 and read_figures(line) is not None


def printable(text: str, longest: int = 100) -> str:
    """A text as it may stand in a result's params."""
    return "".join(character for character in text[:longest] if character.isprintable()) or "?"


class Sections:
    """What people wrote before each run. A section is named by the last foreign line above its runs."""

    def __init__(self) -> None:
        self._names: list[str] = [""]
        self.commands: dict[str, None] = {}

    @property
    def current(self) -> int:
        return len(self._names) - 1

    def take(self, line: str) -> bool:
        """A foreign line, or a command line of bonnie++, begins a section; True where it was a command line."""
        name = " ".join(line[:400].split()).strip("#=*-~:> ")
        match = _COMMAND.search(line[:2000]) if "bonnie++" in line else None
        if match:
            name = match[1].strip()
            self.commands[name] = None
        if name and name[:_LONGEST] != self._names[-1]:
            self._names.append(name[:_LONGEST])
        return match is not None

    def names(self, used: Iterable[int]) -> dict[int, str]:
        """The names of the sections that have runs, where these are several; a series `run 1, run 2, run 3` is one."""
        named = {section: self._names[section] for section in sorted(set(used))}
        series: dict[str, list[int]] = {}
        for name in dict.fromkeys(named.values()):
            stem, number = _stem(name)
            if number is not None:
                series.setdefault(stem, []).append(number)
        for section, name in named.items():
            stem, _ = _stem(name)
            if _counts(series.get(stem, [])):
                named[section] = stem
        return named if len(set(named.values())) > 1 else {}


def _stem(name: str) -> tuple[str, int | None]:
    """A name without the last number that stands alone in it."""
    numbers = list(_NUMBER.finditer(name))
    if not numbers:
        return name, None
    last = numbers[-1]
    return " ".join((name[: last.start()] + name[last.end() :]).split()), int(last[0])


def _counts(numbers: list[int]) -> bool:
    """Whether numbers count runs: 0, 1, 2 … or 1, 2, 3 …; 0, 1, 5 are RAID levels."""
    return (
        len(numbers) >= _FEWEST_OF_A_SERIES
        and numbers[0] in (0, 1)
        and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    )
