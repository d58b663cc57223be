"""Terminal sessions with `time`: the project's, and tables and sessions of the RAID article, read in place."""

from benchagent.formats import parse
from benchagent.formats.timing import reader as timing
from tests.agents.formats.crude import timing as crude
from tests.agents.formats.texts import golden
from tests.plugins.missing import SHARED, require


def article() -> str:
    require("../shared/seeds/001_*.txt")
    [path] = SHARED.glob("seeds/001_*.txt")
    return path.read_text()


def values_by_line(text: str) -> dict[int, tuple[str, float]]:
    return {
        line: (result.metric, value or 0.0)
        for result in timing.parse(text, "1").results
        for line, value in zip(result.lines, result.values)
    }


def test_every_timing_of_the_article_is_read() -> None:
    text = article()
    assert timing.recognises(text)
    assert values_by_line(text) == crude.figures(text)
    assert len(crude.figures(text)) == 238  # 79 timings with user and sys, and one with only real


def test_the_article_s_sessions_have_their_tests() -> None:
    results = timing.parse(article(), "1").results
    told = {(result.test, result.metric): result.values for result in results if result.test != "command"}
    assert (told["mkfs", "elapsed"], told["fsck_dirty", "elapsed"]) == ((282.252,), (1.251,))
    assert told["fsck_clean", "system_time"] == (0.155,)
    forced = {r.params["files"]: r.values for r in results if (r.test, r.metric) == ("fsck_forced", "elapsed")}
    assert forced == {2003101: (285.834,), 6193839: (747.0,)}


def test_the_tables_of_the_article_name_no_command_and_are_not_guessed() -> None:
    nameless = [r for r in timing.parse(article(), "1").results if r.test == "command"]
    assert nameless
    assert all(len(result.values) == 1 and "timing" in result.params for result in nameless)


def test_every_timing_of_our_own_session_is_read() -> None:
    text = golden("time-session.txt")
    values = {
        line: (result.metric, value or 0.0)
        for result in parse(text).results
        for line, value in zip(result.lines, result.values)
    }
    printed = crude.figures(text)
    assert printed
    assert {line: values[line] for line in printed} == printed
