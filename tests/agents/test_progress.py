"""Progress for people and programs while something runs."""

import io
import json
import os
import pty
import termios

import pytest

from benchagent.progress import EVENTS, JsonEvents, PlainLines, ProgressBar, fitted, sentence

FINISHED = {"round": "2", "point": "ext4/iozone", "elapsed": 1.25, "error": None, "left": 61.0}


def test_lines_are_sentences_without_control_characters() -> None:
    stream = io.StringIO()
    lines = PlainLines(stream)
    lines.event("point_started", round="2", point="ext4/iozone", left=None)
    lines.tick(10.0, 0.5)
    lines.event("point_finished", **FINISHED)
    lines.event("point_finished", **{**FINISHED, "error": "No space left on device", "left": None})
    assert stream.getvalue().splitlines() == [
        "round 2  ext4/iozone                  1.2 s, 1 m 1 s left",
        "round 2  ext4/iozone                  1.2 s  failed: No space left on device",
    ]


def test_the_bar_shows_what_runs_and_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    stream = io.StringIO()
    bar = ProgressBar(stream)
    bar.tick(10.0, 0.5)
    assert stream.getvalue() == ""
    bar.event("point_started", round="2", point="ext4/iozone", left=None)
    bar.tick(None, 0.0)
    bar.tick(61.0, 0.5)
    first, second = (line.split("\x1b")[0] for line in stream.getvalue().split("\r")[1:])
    assert first == "[........................]   0%  estimating  round 2  ext4/iozone"
    assert second == "[############............]  50%  1 m 1 s left  round 2  ext4/iozone"


def test_the_bar_fits_the_terminal_and_makes_way_for_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    stream = io.StringIO()
    bar = ProgressBar(stream)
    bar.event("point_started", round="2", point="ext4/iozone", left=None)
    bar.tick(61.0, 0.5)
    assert len(stream.getvalue().removeprefix("\r").removesuffix("\x1b[K")) == 29
    bar.event("point_finished", **FINISHED)
    bar.event("finished", measured=3, failed=0, skipped=2, missing=0)
    assert stream.getvalue().endswith("\r\x1b[KPoints: 3 measured, 2 skipped.\n")
    before = stream.getvalue()
    bar.tick(0.0, 1.0)
    assert stream.getvalue() == before


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (79, "[############............]  50%  1 m 1 s left  round 2  ext4/iozone"),
        (53, "[#####.....]  50%  1 m 1 s left  round 2  ext4/iozone"),
        (51, "[####....]  50%  1 m 1 s left  round 2  ext4/iozone"),
        (50, "50%  1 m 1 s left  round 2  ext4/iozone"),
        (39, "50%  1 m 1 s left  round 2  ext4/iozone"),
        (38, "50%  1 m 1 s left  round 2  ext4/iozo…"),
        (10, "50%  1 m …"),
        (1, "…"),
    ],
)
def test_the_bar_gives_way_to_the_time_left(width: int, line: str) -> None:
    assert fitted(0.5, " 50%  1 m 1 s left  round 2  ext4/iozone", width) == line
    assert len(line) <= width


def test_the_bar_follows_the_terminal_it_is_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """That terminal is not standard output, and may have been resized since the command began."""
    monkeypatch.setenv("COLUMNS", "200")
    main, terminal = pty.openpty()
    name = "a-target-with-a-name-of-many-letters/a-workload-with-another-one"
    with open(terminal, "w") as stream:
        bar, lines = ProgressBar(stream), []
        bar.event("point_started", round="2", point=name, left=None)
        for columns in (80, 40, 120):
            termios.tcsetwinsize(terminal, (24, columns))
            bar.tick(61.0, 0.5)
            lines.append(os.read(main, 4096).decode().removeprefix("\r").removesuffix("\x1b[K"))
    os.close(main)
    assert [len(line) for line in lines] == [79, 39, 119]
    assert all("50%  1 m 1 s left" in line for line in lines)
    assert lines[2].startswith("[####")
    assert lines[2].endswith(name)


def test_what_others_say_does_not_move_the_cursor() -> None:
    stream = io.StringIO()
    facts = {**FINISHED, "error": "\x1b[2Jbad\x07\r\u202e \x9b1m\nmore", "left": None}
    PlainLines(stream).event("point_finished", **facts)
    assert stream.getvalue().endswith("failed: ?[2Jbad? ? ?1m more\n")


def test_events_for_programs_have_no_control_characters_and_a_form_in_utf_8() -> None:
    stream = io.TextIOWrapper(buffer := io.BytesIO(), "utf-8")
    told = "http://x/\ud800\x1b[31m\x9b\u202e é"
    JsonEvents(stream).event("uploaded", run_id="1", point="p", url=told, state=None)
    line = buffer.getvalue().splitlines()[-1].decode()
    assert line.isprintable()
    assert "é" in line
    assert json.loads(line)["url"] == told


def test_events_are_json_lines_with_a_version() -> None:
    stream = io.StringIO()
    events = JsonEvents(stream)
    events.tick(1.0, 0.5)
    events.event("point_finished", **FINISHED)
    first, second = (json.loads(line) for line in stream.getvalue().splitlines())
    assert (first["event"], first["format"]) == ("events", EVENTS)
    assert second.pop("at").endswith("+00:00")
    assert second == {"event": "point_finished", **FINISHED}


def test_an_event_that_people_need_not_see_has_no_sentence() -> None:
    assert sentence("point_started", {"round": "1", "point": "x"}) is None


def test_nothing_measured_is_said() -> None:
    assert sentence("finished", {"measured": 0}) == "Points: none."
