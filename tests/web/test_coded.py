"""Code among words, and command lines."""

from __future__ import annotations

import html
import re

import pytest

from benchdb.web.templatetags.coded import coded, whole_words


def test_code_stands_between_backticks() -> None:
    assert coded("`state` is <why>") == "<code>state</code> is &lt;why&gt;"


def test_apostrophes_are_typographic_but_in_code() -> None:
    assert coded("the run's owner: `don't`") == "the run’s owner: <code>don&#x27;t</code>"
    assert coded("runs' owners") == "runs’ owners"


@pytest.mark.parametrize(
    "command", ["run --server http://a-b", "echo 'ab  c-d' | sha256sum --check", "-a\n\t-b", "", "<script>-x</script>"]
)
def test_a_command_line_is_the_same_text(command: str) -> None:
    shown = whole_words(command)
    assert html.unescape(re.sub("</?span>", "", shown)) == command
    assert "<script" not in shown


def test_words_that_could_break_at_a_hyphen_are_whole() -> None:
    assert whole_words("run --server host") == "run <span>--server</span> host"
