"""IOR's JSON (`-O summaryFormat=JSON`), line by line, since IOR prints its warnings between the lines of JSON."""

from __future__ import annotations

import re
from typing import Callable

from .session import IorSession

# A pair with its text, word or opening bracket; or a bracket.
_TOKEN = re.compile(
    r'[\s,]{0,200}(?:"(?P<key>[^"]{1,60})"\s{0,20}:\s{0,20}(?:"(?P<text>[^"]{0,5000})"|(?P<word>[-+A-Za-z0-9.]{1,60})'
    r"|(?P<opening>[\[{]))|(?P<sign>[\[\]{}]))[\s,]{0,200}"
)
_ROOT = frozenset({"Version", "Began", "Command line", "Machine", "tests", "summary", "Finished"})
_TEST = frozenset({
    "TestID", "StartTime", "Path", "Capacity", "Used Capacity", "Inodes", "Used Inodes", "Parameters", "Options",
    "Results", "max", "Finished",
})  # fmt: skip
# The columns of a repetition, as IOR's text names them.
_COLUMNS = {
    "bwMiB": "bw(MiB/s)", "iops": "IOPS", "latency": "Latency(s)", "openTime": "open(s)", "wrRdTime": "wr/rd(s)",
    "closeTime": "close(s)", "totalTime": "total(s)",
}  # fmt: skip
_SUMMARY = (
    "bwMaxMIB", "bwMinMIB", "bwMeanMIB", "bwStdMIB", "OPsMax", "OPsMin", "OPsMean", "OPsSD", "MeanTime"
)  # fmt: skip
# Repeated settings of the summary. The throughput at the stonewall is that of an average task, not of all.
_SUMMARY_OTHERS = frozenset({
    "API", "ReferenceNumber", "segmentCount", "blockSize", "transferSize", "numTasks", "tasksPerNode", "repetitions",
    "filePerProc", "reorderTasks", "taskPerNodeOffset", "reorderTasksRandom", "reorderTasksRandomSeed", "StoneWallTime",
    "StoneWallbwMeanMIB", "xsizeMiB",
})  # fmt: skip
_MAXIMA = {"writeMiB": "write", "readMiB": "read"}
_OPTIONS = frozenset({"dryRun"})
_DEEPEST = 20


class IorJson:
    """Reads the documents of JSON in a text. ``begin`` makes the session of a version and a line."""

    def __init__(self, begin: Callable[[str, int], IorSession]) -> None:
        self._begin = begin
        self._session: IorSession | None = None
        self._open: list[str] = []  # the keys of the open objects and lists; empty for an element of a list
        self._operation = ""
        self._test = ""
        self._summary: dict[str, tuple[str, int]] = {}

    def take(self, line: str, number: int) -> bool:
        """Read one line; False if it is not IOR's JSON."""
        if line[0] not in '{}[]",' or not (self._open or line[0] == "{"):
            return bool(self._open) and line.startswith("Pairs deadlineForStonewallingaccessed: ")
        tokens: list[re.Match[str]] = []
        position = 0
        while position < len(line):
            token = _TOKEN.match(line, position)
            if token is None:
                return not line.strip(", \t")
            tokens.append(token)
            position = token.end()
        known = [self._token(token, number) for token in tokens]
        return all(known)

    def _token(self, token: re.Match[str], number: int) -> bool:
        if sign := token["sign"]:
            if sign in "{[":
                self._open.append("")
            elif self._open:
                self._open.pop()
            return len(self._open) <= _DEEPEST
        if not self._open:
            return False
        key = token["key"]
        if token["opening"]:
            self._open.append(key)
            return key in _ROOT or key in _TEST
        value = token["text"] if token["text"] is not None else token["word"]
        return self._pair(key, value, number)

    def _pair(self, key: str, value: str, line: int) -> bool:
        """Keep one pair; False if IOR prints no such key in this place."""
        if len(self._open) == 1 and key == "Version":
            self._session = self._begin(value, line)
        session = self._session
        if session is None:
            return False
        section = next((name for name in reversed(self._open) if name), "")
        if not section:
            return self._of_root(session, key, value)
        if section == "tests":
            return self._of_test(session, key, value)
        if section == "Parameters":
            session.parameter(key, value)
            return True
        if section == "Options":
            return session.option(key, value) or key in _OPTIONS
        if section == "Results":
            return self._of_repetition(session, key, value, line)
        if section == "max":
            if key in _MAXIMA:
                session.maximum(_MAXIMA[key], value, line)
            return key in _MAXIMA or key in ("writeMB", "readMB")
        return section == "summary" and self._of_summary(session, key, value, line)

    def _of_root(self, session: IorSession, key: str, value: str) -> bool:
        if key == "Command line":
            session.command = value
        session.ended = session.ended or key == "Finished"
        return key in _ROOT

    def _of_test(self, session: IorSession, key: str, value: str) -> bool:
        if key == "TestID" and value.isdigit():
            session.begin_test(int(value[:9]))
        elif key == "Path":
            session.option(key, value)
        return key in _TEST

    def _of_repetition(self, session: IorSession, key: str, value: str, line: int) -> bool:
        if key == "access" and re.fullmatch("[a-z]{1,20}", value):
            self._operation = value
            session.repetition(value)
        elif key in _COLUMNS and self._operation:
            session.number(self._operation, {_COLUMNS[key]: value}, line)
        else:
            return key in ("blockKiB", "xferKiB")
        return True

    def _of_summary(self, session: IorSession, key: str, value: str, line: int) -> bool:
        if key == "operation":
            self._operation = value if re.fullmatch("[a-z]{1,20}", value) else ""
            self._test, self._summary = "", {}
        elif key == "TestID":
            self._test = value
        elif key in _SUMMARY:
            self._summary[key] = (value, line)
            if key == _SUMMARY[-1] and len(self._summary) == len(_SUMMARY) and self._operation:
                session.summary(self._operation, self._test, [self._summary[name] for name in _SUMMARY])
        else:
            return key in _SUMMARY_OTHERS
        return True
