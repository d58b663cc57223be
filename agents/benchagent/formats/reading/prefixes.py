"""Marks that programs put before lines: the numbers of `cat -n` and `grep -n`, the heads of a journal's lines, and any
mark that all lines have, such as `20:22:23 DEBUG| [stdout] `, `<host> ` or a bullet.

Other lines may be around and among them; these stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from benchagent.formats.model import FormatError

_FEWEST = 3
_SHARE = 0.8  # of the lines between the first and the last that have the mark
_CAT = re.compile(r"[ \t]{0,9}([0-9]{1,9})\t")
_GREP = re.compile(r"([0-9]{1,9})[:-]")
_JOURNAL = re.compile(
    r"(?:[A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?"
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.,]{8,18}(?:Z|[+-][0-9:]{4,5})) "
    r"(?P<host>[\w.-]{1,255}) [\w.@/:()-]{1,200}(?:\[[0-9]{1,10}\])?: ?"
)
_HOSTS_NAMED = 5
_LONGEST_MARK = 120
_DIGITS = re.compile("[0-9]+")
# It has a sign that is neither of a word nor a blank, and none of JSON or CSV.
_MARK = re.compile(r"[^\"{},;=]*[^\w\s\"{},;=][^\"{},;=]*[ |>]|[^\w\s\"{},;=]")


def numbered(lines: Sequence[str]) -> dict[int, int] | None:
    """The length of the mark of each line that `cat -n` or `grep -n` numbered, by its index; None without numbers."""
    with_tab = ((index, line) for index, line in enumerate(lines) if "\t" in line)
    with_digit = ((index, line) for index, line in enumerate(lines) if line[:1].isdigit())
    for pattern, candidates, step in ((_CAT, with_tab, 1), (_GREP, with_digit, 0)):
        ends = dict(_ascending(candidates, pattern, step))
        if _are_marks(lines, ends):
            return ends
    return None


def of_journal(lines: Sequence[str], is_recognised: Callable[[str], bool]) -> dict[int, int] | None:
    """The length of the head of each line of a journal, by its index; None if the text is no journal.

    Raises FormatError if the lines are those of several hosts and a format recognises them.
    """
    matches = {
        index: match for index, line in enumerate(lines) if line[:1].isalnum() and (match := _JOURNAL.match(line))
    }
    if not _are_marks(lines, matches):
        return None
    hosts = sorted({match["host"] for match in matches.values()})
    if len(hosts) > 1 and is_recognised("\n".join(lines[index][match.end() :] for index, match in matches.items())):
        named = ", ".join(hosts[:_HOSTS_NAMED])
        raise FormatError(f"this is a journal of {len(hosts)} hosts ({named}): split it by host", min(matches) + 1)
    return {index: match.end() for index, match in matches.items()}


def common_mark(lines: Sequence[str]) -> re.Pattern[str] | None:
    """What all lines begin with, with any numbers in it; None if this has no sign such as `|`, `>` or `*`."""
    filled = (_DIGITS.sub("0", line[:_LONGEST_MARK]) + " " for line in lines if line and not line.isspace())
    shared, count = next(filled, ""), 1
    for line in filled:
        count += 1
        if not line.startswith(shared):
            shared = shared[: next(at for at, sign in enumerate(shared) if line[at : at + 1] != sign)]
            if not _MARK.match(shared):
                return None
    mark = _MARK.match(shared) if count >= _FEWEST else None
    if mark is None:
        return None
    words = "[0-9]+".join(map(re.escape, mark[0].rstrip().split("0")))
    return re.compile(f"{words}(?: |$)" if mark[0].endswith(" ") else words)


def _ascending(lines: Iterable[tuple[int, str]], pattern: re.Pattern[str], step: int) -> Iterator[tuple[int, int]]:
    """(index, length of the mark) of the lines whose numbers ascend, by ``step`` unless it is 0; 1 begins anew."""
    last = 0
    take = pattern.match
    for index, match in [(index, match) for index, line in lines if (match := take(line))]:
        number = int(match[1])
        if number == 1 or (number == last + step if step else number > last):
            yield index, match.end()
            last = number


def _are_marks(lines: Sequence[str], marked: dict[int, int] | dict[int, re.Match[str]]) -> bool:
    """Whether most lines between the first and the last marked line are marked."""
    if len(marked) < _FEWEST:
        return False
    filled = sum(1 for line in lines[min(marked) : max(marked) + 1] if line.strip())
    return len(marked) >= _SHARE * filled
