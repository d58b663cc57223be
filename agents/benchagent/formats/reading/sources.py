"""Removes marks that were added to an output when it was passed on, and separates the outputs of several sources.

Outputs are quoted in mails, commented out, gathered by pdsh or grep, numbered, stamped with times, added by a diff, or
coloured. Line numbers stay
those of the original text: the text of one source has an empty line for each line of another source. Columns of a
FormatError are shifted back by ``removed``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from benchagent.formats.model import FormatError

from .differences import sides_of
from .markup import without_markup
from .prefixes import common_mark, numbered, of_journal
from .text import split_lines

MAX_SOURCES = 256
MAX_PADDED_LINES = 4_000_000  # lines × sources, since the text of each source has as many lines as the whole

_ESCAPE = re.compile(r"\x1b(?:\[[0-9;?]{0,16}[A-Za-z]|[=>()][0-9A-Z]?)")
_QUOTE = re.compile(r"[ \t]{0,8}(?:> ?){0,15}>")
_HASH = re.compile(r"[ \t]{0,8}#")
_DATED = re.compile(
    r"\[?(?:[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]|[A-Z][a-z]{2} [ 0-9][0-9] )"
    r"[0-9]{2}:[0-9]{2}:[0-9]{2}[^ \]\t]{0,12}\]?:?[ \t]"
)
# Filebench's own process and time, and a log's time of day are no source.
_CLOCK = r"(?!(?:[0-9]{1,10}:[ \t]{1,9})?[0-9]{1,12}\.[0-9]{3}:|[0-9]{1,2}:[0-9]{2}:[0-9]{2}[ .,\]])"
# pdsh and docker-compose, then grep with or without -n.
_SOURCES = (
    re.compile(_CLOCK + r"([A-Za-z0-9_.@-]{1,64})[ \t]{0,40}(?::|\|)[ \t]"),
    re.compile(_CLOCK + r"([A-Za-z0-9_.@+/~-]{1,200}):(?:[0-9]{1,9}:)?"),
)
_TRAILING = re.compile(r"(?<=[^\s0-9])[ \t]{2,}$", re.MULTILINE)  # behind digits they may be empty cells of a table
_BEGUN = re.compile(r"\n[0-9A-Za-z]")  # a line that begins as numbered ones and those of journals do
_BARE = re.compile(r"=(?![0-9A-F]{2}|[ \t]{0,8}\r?(?:\n|\Z))")
_ENCODED = re.compile(r"^Content-Transfer-Encoding: quoted-printable\r?$", re.IGNORECASE | re.MULTILINE)
_END_OF_HEADERS = re.compile(r"\n\r?\n")
_SOFT_BREAK = re.compile(r"^[^\n]{72,75}=\r?$", re.MULTILINE)
_QUOTED_BYTES = re.compile(r"(?:=[0-9A-F]{2}){1,200}")

IsRecognised = Callable[[str], bool]


@dataclass(frozen=True)
class SourceText:
    """The lines of one source. ``removed[line]`` is the number of columns removed from a line; lines count from 1.

    ``side`` is `before` or `after` for the sides of a diff that both may hold outputs.
    """

    source: str | None
    text: str
    removed: dict[int, int]
    side: str = ""


def source_texts(text: str, is_recognised: IsRecognised) -> list[SourceText]:
    """Remove the marks before the lines of a text, and separate its sources.

    ``is_recognised`` returns whether a format recognises a text. A text without marks is returned as one source.
    Raises FormatError for more than MAX_SOURCES sources.
    """
    text = _ESCAPE.sub("", text) if "\x1b" in text else text
    text = _unquoted_printable(text.lstrip("\ufeff"))
    text = without_markup(text).replace("\u00a0", " ")  # blanks of web pages
    text = _TRAILING.sub("", text) if "  \n" in text or "\t\n" in text else text
    lines = split_lines(text)
    if "@@ -" in text and (sides := sides_of(lines, is_recognised)):
        removed = {index + 1: 1 for index in sides.marked}
        named = [("before", sides.old), ("after", sides.new)] if sides.old else [("", sides.new)]
        return [SourceText(None, "\n".join(side or ()) + "\n", removed, name) for name, side in named]
    begun = text[:1].isalnum() or _BEGUN.search(text)  # one search of the text instead of a look at each line
    forms: list[Callable[[list[str]], SourceText | None]] = [
        partial(_quoted, is_recognised=is_recognised),
        _commented,
        *([_numbered] if begun or "\t" in text else []),
        *([partial(_journal, is_recognised=is_recognised)] if begun else []),
        _dated,
    ]
    for shared in forms:
        plain = shared(lines)
        if plain and is_recognised(plain.text):
            return _by_source(split_lines(plain.text), is_recognised) or [plain]
    if of_sources := _by_source(lines, is_recognised):
        return of_sources
    mark = common_mark(lines)
    marked = _stripped(lines, mark, space=False) if mark else None
    return [marked if marked and is_recognised(marked.text) else SourceText(None, text, {})]


def _unquoted_printable(text: str) -> str:
    """Decode a mail's quoted-printable (RFC 2045, 6.7). Empty lines after a joined line keep the line numbers."""
    header = _ENCODED.search(text) if "-Encoding:" in text else None  # a mail's headers are not encoded
    broken = "=\n" in text or "=\r\n" in text
    if header is None and "=3D" not in text and not (broken and _SOFT_BREAK.search(text)):
        return text
    blank = _END_OF_HEADERS.search(text, header.end()) if header else None
    start = blank.end() if blank else 0
    if _BARE.search(text, start):  # quoted-printable leaves no other equals sign
        return text
    lines: list[str] = []
    begun: list[str] = []  # pieces of a line that goes on
    for line in text[start:].split("\n"):
        if line.rstrip(" \t\r").endswith("="):
            begun.append(line.rstrip(" \t\r")[:-1])
        else:
            lines += ["".join(begun) + line, *[""] * len(begun)]
            begun.clear()
    lines += ["".join(begun)] * any(begun)
    return text[:start] + _QUOTED_BYTES.sub(
        lambda match: bytes.fromhex(match[0].replace("=", "")).decode("utf-8", "replace"), "\n".join(lines)
    )


def _quoted(lines: list[str], is_recognised: IsRecognised) -> SourceText | None:
    """Remove the quote marks of a mail if most lines have one or an output is quoted; other lines stay as they are."""
    quoted = [line[match.end() :] for line in lines if ">" in line and (match := _QUOTE.match(line))]
    if not quoted:
        return None
    most = 2 * len(quoted) >= sum(1 for line in lines if line.strip())
    return _stripped(lines, _QUOTE, share=0) if most or is_recognised("\n".join(quoted)) else None


def _commented(lines: list[str]) -> SourceText | None:
    return _stripped(lines, _HASH)


def _numbered(lines: list[str]) -> SourceText | None:
    return _cut(lines, numbered(lines))


def _journal(lines: list[str], is_recognised: IsRecognised) -> SourceText | None:
    return _cut(lines, of_journal(lines, is_recognised))


def _cut(lines: list[str], ends: dict[int, int] | None) -> SourceText | None:
    """The lines without as many columns at their beginning as ``ends`` has for their index."""
    if ends is None:
        return None
    text = "\n".join(line[ends.get(index, 0) :] for index, line in enumerate(lines))
    return SourceText(None, text + "\n", {index + 1: end for index, end in ends.items()})


def _dated(lines: list[str]) -> SourceText | None:
    """Remove the time stamps of `ts` and the like; the space after a stamp belongs to it."""
    return _stripped(lines, _DATED, space=False)


def _stripped(lines: list[str], mark: re.Pattern[str], *, share: float = 1, space: bool = True) -> SourceText | None:
    """Remove the marks if at least a share of the lines has one, and the space after them if all have it."""
    first = next((line for line in lines if line.strip()), "")
    if share == 1 and not mark.match(first):  # so that a long text without marks costs nothing
        return None
    filled = [line for line in lines if line.strip()]
    matches = [mark.match(line) for line in lines]
    marked = [(line, match.end()) for line, match in zip(lines, matches) if match]
    if not marked or len(marked) < share * len(filled):
        return None
    blank = 1 if space and all(line[end:].strip() == "" or line[end] == " " for line, end in marked) else 0
    ends = [match.end() + blank if match else 0 for match in matches]
    text = "\n".join(line[end:] for line, end in zip(lines, ends))
    return SourceText(None, text + "\n", {number: end for number, end in enumerate(ends, start=1) if end})


def _by_source(lines: list[str], is_recognised: IsRecognised) -> list[SourceText] | None:
    """One text for each source, if every line names its source and every source's lines are recognised."""
    for pattern in _SOURCES:
        if not _first_is_recognised(lines, pattern, is_recognised):
            continue
        lines_of: dict[str, dict[int, str]] = {}
        removed: dict[str, dict[int, int]] = {}
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            match = pattern.match(line + " ")
            assert match  # every line names a source
            lines_of.setdefault(match[1], {})[number] = line[match.end() :]
            removed.setdefault(match[1], {})[number] = match.end()
        if texts := _padded(lines_of, removed, len(lines), is_recognised):
            return texts
    return None


def _first_is_recognised(lines: list[str], pattern: re.Pattern[str], is_recognised: IsRecognised) -> bool:
    """Whether every line names a source and the lines of the first source are recognised.

    This check comes first because separating the sources of a long text takes long.
    """
    first: str | None = None
    lines_of_first: list[str] = []
    for line in lines:
        if not line or line.isspace():
            continue
        match = pattern.match(line + " ")
        if not match:
            return False
        if first is None:
            first = match[1]
        if match[1] == first:
            lines_of_first.append(line[match.end() :])
    return first is not None and is_recognised("\n".join(lines_of_first))


def _padded(
    lines_of: dict[str, dict[int, str]], removed: dict[str, dict[int, int]], count: int, is_recognised: IsRecognised
) -> list[SourceText] | None:
    # Names before colons are no sources if no format recognises their lines, however many there are.
    if not all(is_recognised("\n".join(lines.values())) for lines in lines_of.values()):
        return None
    if len(lines_of) > MAX_SOURCES or len(lines_of) * count > MAX_PADDED_LINES:
        raise FormatError(f"lines of {len(lines_of)} sources; split the text, {MAX_SOURCES} are read at most")
    texts = []
    for source, lines in lines_of.items():
        text = "\n".join(lines.get(number, "") for number in range(1, count + 1))
        texts.append(SourceText(source, text + "\n", removed[source]))
    return texts
