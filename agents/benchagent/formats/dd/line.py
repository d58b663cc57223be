"""The line in which dd reports a copy, of every program of this name and in every language.

GNU: `20971520 bytes (21 MB, 20 MiB) copied, 0.048 s, 436 MB/s`, in each language other words, a decimal comma or a
Chinese one, full-width brackets. BusyBox: `20971520 bytes (20.0MB) copied, 0.051 seconds, 392.2MB/s`. BSD and macOS:
`20971520 bytes transferred in 0.004 secs (5242880000 bytes/sec)`. GNU's k, M and G are powers of 1000, by its manual;
BusyBox's, which touch their number, are powers of 1024, by its source.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_WORD = r"[^\W\d_][^\d\s,，、;:()（）]{0,20}"  # of any language
_TIME = r"[0-9]{1,9}(?:[.,][0-9]{1,12})?(?:e-[0-9]{1,2})?"
_COMMA = r"[,，、;] ?"
_GNU = re.compile(
    rf"(?:{_WORD} )?(?P<bytes>[0-9]{{1,18}}) ?{_WORD}(?: ?[(（][^()（）]{{1,60}}[)）])?(?: ?{_WORD}){{0,3}}{_COMMA}"
    rf"(?P<time>{_TIME}) ?{_WORD}{_COMMA}"
    rf"(?P<rate>[0-9]{{1,15}}(?:[.,][0-9]{{1,6}})?)(?P<blank> ?)(?P<power>[kKMGTP]?)B/{_WORD}"
)
_BSD = re.compile(
    rf"(?P<bytes>[0-9]{{1,18}}) bytes transferred in (?P<time>{_TIME}) secs \((?P<rate>[0-9]{{1,15}}) bytes/sec\)"
)
_RECORDS = re.compile(rf"(?:{_WORD} ?)?[0-9]{{1,15}}\+[0-9]{{1,15}} {_WORD}(?: {_WORD}){{0,3}}")
MARKS = ("B/", " bytes/sec)")


@dataclass(frozen=True)
class CopyLine:
    """A copy of `bytes`. `time` is seconds as printed, `rate` times `unit` bytes a second.

    `fits` is whether bytes, time and rate agree, within the digits that are printed.
    """

    bytes: int
    time: str
    rate: str
    unit: int

    @property
    def fits(self) -> bool:
        seconds, rate = float(self.time), float(self.rate) * self.unit
        half_time, half_rate = _half_digit(self.time), _half_digit(self.rate) * self.unit
        least = self.bytes / (seconds + half_time) if seconds + half_time else 0
        most = self.bytes / (seconds - half_time) if seconds > half_time else float("inf")
        return least * 0.999 - half_rate <= rate <= most * 1.001 + half_rate


def read_copy(text: str) -> CopyLine | None:
    """The copy that a line, or a part of it between carriage returns, reports; None if it reports none."""
    text = text.strip()
    if len(text) > 300:
        return None
    if match := _BSD.fullmatch(text):
        return CopyLine(int(match["bytes"]), match["time"].replace(",", "."), match["rate"], 1)
    match = _GNU.fullmatch(text)
    if match is None:
        return None
    power = " kMGTP".index(match["power"].replace("K", "k") or " ")
    base = 1000 if match["blank"] or match["power"] == "" else 1024
    time, rate = match["time"].replace(",", "."), match["rate"].replace(",", ".")
    return CopyLine(int(match["bytes"]), time, rate, base**power)


def is_records(line: str) -> bool:
    """Whether a line counts the records read or written, which dd prints before it reports the copy."""
    return bool(_RECORDS.fullmatch(line.strip()[:200]))


def _half_digit(printed: str) -> float:
    """Half a unit of the last printed digit."""
    mantissa, _, exponent = printed.partition("e")
    return 0.5 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
