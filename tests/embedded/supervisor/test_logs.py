"""Log files and the terminal."""

import io
import os
import stat
from pathlib import Path

import pytest

from benchdb.embedded.supervisor import logs
from benchdb.embedded.supervisor.logs import ServiceLog, Terminal


class Tty(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def test_a_line_goes_to_file_and_terminal(tmp_path: Path) -> None:
    stream = io.StringIO()
    log = ServiceLog("web", tmp_path / "log", Terminal(stream))
    log.write("Listening at 5 ¤")
    log.close()

    assert stream.getvalue().endswith(" web      | Listening at 5 ¤\n")
    stamp, text = (tmp_path / "log" / "web.log").read_text(encoding="utf-8").split(" ", 1)
    assert stamp.endswith("Z")
    assert text == "Listening at 5 ¤\n"


def test_only_its_owner_reads_a_file_also_after_rotation_and_an_older_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "FILE_BYTES", 10)
    (tmp_path / "web.log").touch(0o644)
    log = ServiceLog("web", tmp_path, None)
    for _ in range(2):
        log.write("longer than ten bytes")
    log.close()

    files = sorted(tmp_path.iterdir())
    assert len(files) > 1
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


def test_names_have_their_colours_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    screen, pipe = Tty(), io.StringIO()
    for stream in (screen, pipe):
        terminal = Terminal(stream)
        for name in ("web", "worker", "web"):
            terminal.write(name, "line")

    first, second, third = screen.getvalue().splitlines()
    assert "\033[36mweb      |\033[0m" in first
    assert "\033[33mworker   |\033[0m" in second
    assert "\033[36mweb" in third
    assert "\033" not in pipe.getvalue()


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    screen = Tty()
    Terminal(screen).write("web", "line")
    assert "\033" not in screen.getvalue()


def test_a_closed_pipe_ends_the_terminal_and_not_the_file(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    stream = os.fdopen(writer, "w", buffering=1)
    log = ServiceLog("web", tmp_path, Terminal(stream))
    log.write("one")
    log.write("two")
    log.close()
    with pytest.raises(BrokenPipeError):
        stream.close()

    assert [line.split(" ", 1)[1] for line in log.path.read_text().splitlines()] == ["one", "two"]


def test_files_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "FILE_BYTES", 10_000)
    log = ServiceLog("web", tmp_path, None)
    for number in range(2_000):
        log.write(f"line {number}")
    log.close()

    assert sorted(path.name for path in tmp_path.iterdir()) == ["web.log", "web.log.1", "web.log.2"]
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 30_000
    assert log.path.read_text().splitlines()[-1].endswith("line 1999")


def test_the_last_lines_are_kept_for_error_messages(tmp_path: Path) -> None:
    log = ServiceLog("web", tmp_path, None)
    for number in range(30):
        log.write(str(number))
    log.close()
    assert log.last_lines() == tuple(str(number) for number in range(18, 30))
