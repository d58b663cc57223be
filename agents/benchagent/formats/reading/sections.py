"""Headings between the runs of one text, which distinguish the runs: `### ext4` above one, `### xfs` above the next."""

from __future__ import annotations

import re
from collections.abc import Iterable

from benchagent.formats.model import Param

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


def is_known(line: str) -> bool:
    """Whether a line is irrelevant for results: bonnie++'s messages, rules, dates, prompts."""
    text = line.strip()
    if len(text) > 2000:
        return False
    return bool(_KNOWN.match(text) or (text[-1:].isdigit() and _DATE.match(text)) or _PROMPT.match(text))


def printable(text: str, longest: int = 100) -> str:
    """A text that is fit for a result's params."""
    return "".join(character for character in text[:longest] if character.isprintable()) or "?"


def params_apart(name: str, section: str) -> tuple[tuple[str, Param], ...]:
    """The params by which the runs of one text differ besides their settings; without empty ones."""
    return tuple((key, printable(text)) for key, text in (("name", name), ("section", section)) if text)


class Sections:
    """The headings in a text. A section has the name of the last foreign line above its runs."""

    def __init__(self) -> None:
        self._names: list[str] = [""]
        self.commands: dict[str, None] = {}

    @property
    def current(self) -> int:
        return len(self._names) - 1

    def take(self, line: str) -> bool:
        """Begin a section at a foreign line or a command line of bonnie++. Returns whether it was a command line."""
        name = " ".join(line[:400].split()).strip("#=*-~:> ")
        match = _COMMAND.search(line[:2000]) if "bonnie++" in line else None
        if match:
            name = match[1].strip()
            self.commands[name] = None
        if name and name[:_LONGEST] != self._names[-1]:
            self._names.append(name[:_LONGEST])
        return match is not None

    def names(self, used: Iterable[int]) -> dict[int, str]:
        """The names of the sections with runs; empty if there is only one. A series `run 1, run 2, run 3` is one."""
        named = {section: self._names[section] for section in sorted(set(used))}
        series: dict[str, list[int]] = {}
        for name in dict.fromkeys(named.values()):
            stem, number = _stem(name)
            if number is not None:
                series.setdefault(stem, []).append(number)
        # Once for each series, since a text may have tens of thousands of sections.
        repeated = {stem for stem, numbers in series.items() if counts_repetitions(numbers)}
        for section, name in named.items():
            stem, _ = _stem(name)
            if stem in repeated:
                named[section] = stem
        return named if len(set(named.values())) > 1 else {}


def _stem(name: str) -> tuple[str, int | None]:
    """A name without the last separate number in it, and that number."""
    numbers = list(_NUMBER.finditer(name))
    if not numbers:
        return name, None
    last = numbers[-1]
    return " ".join((name[: last.start()] + name[last.end() :]).split()), int(last[0])


def counts_repetitions(numbers: list[int]) -> bool:
    """Whether numbers count runs: 0, 1, 2 … or 1, 2, 3 …; 0, 1, 5 are RAID levels."""
    return (
        len(numbers) >= _FEWEST_OF_A_SERIES
        and numbers[0] in (0, 1)
        and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    )


# Lines that are no headings: a command without arguments after a prompt, and words about something finished.
_NOISE = re.compile(
    r"[^#\s]\S{0,100}(?: \S{0,100})?[#$%>] {0,3}[A-Za-z0-9_./+-]{1,100}|\[sudo\] password for .{0,200}"
    r"|.{1,300}: command not found"
    r"|(?:.{0,300}\W)?(?:done|finished|completed?)\W{0,9}",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\b(run|iteration|round|pass|trial|repetition|repeat|loop|attempt)[ #:]{0,3}[0-9]{1,6}"
    r"(?: ?(?:of|/) ?[0-9]{1,6})?\b",
    re.IGNORECASE,
)


def is_heading(line: str) -> bool:
    """Whether a line that no tool printed may be a heading."""
    return not is_known(line) and not _NOISE.fullmatch(line.strip("=*-~ "))


def without_count(line: str) -> str:
    """A heading without the number of a repetition, `run 1 of 3`."""
    return _COUNTED.sub(r"\1", line[:400])
