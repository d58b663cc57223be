"""Every code block of the documentation can be parsed. tests/system runs the commands."""

import re
from pathlib import Path

import pytest

from tests.docs.blocks import Block, blocks
from tests.docs.forms import FORMS, RUN_HERE, check
from tests.docs.output import difference, session
from tests.docs.pages import PAGES, ROOT, name, tokens
from tests.docs.test_commands import make_targets

MADE = re.compile(r"^make ([a-z][a-z-]*)", re.MULTILINE)
COMMAND = re.compile(r"\bmanage\.py (\w+)")  # commands that a test in place of a block must name
EVERY = [block for page in PAGES for block in blocks(page)]
SKIPPED = [block for block in EVERY if block.reason]
# The number of blocks that do not run, with reasons. Try to run a new block before raising it.
MOST_SKIPPED = 36


@pytest.mark.parametrize("block", EVERY, ids=lambda block: block.place)
def test_a_block_can_be_read(block: Block) -> None:
    assert block.language in FORMS, f"```{block.language}: a block has one of {', '.join(FORMS)}"
    check(block)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_no_block_is_overlooked(page: Path) -> None:
    indented = [token.map[0] + 1 for token in tokens(page) if token.type == "code_block" and token.map]
    assert indented == [], "blocks stand between ``` and say their language"
    assert len(blocks(page)) == sum(token.type == "fence" for token in tokens(page))


@pytest.mark.parametrize("block", SKIPPED, ids=lambda block: block.place)
def test_a_block_that_does_not_run_here_says_where_it_does(block: Block) -> None:
    assert block.language in RUN_HERE, "only what runs is skipped"
    reason = re.findall(r"[\w./-]+", str(block.reason))
    targets = {*MADE.findall(block.text), *(reason[at + 1] for at, word in enumerate(reason[:-1]) if word == "make")}
    assert targets <= make_targets()
    named = [word.rstrip(".") for word in reason if word.startswith("tests/")]
    assert [path for path in named if not (ROOT / path).exists()] == []
    assert targets or named or "needs" in reason, "say who runs it, or what it needs"
    if named and "needs" not in reason:
        sources = "".join(text for path in named for text in texts(ROOT / path))
        assert [command for command in COMMAND.findall(block.text) if f'"{command}"' not in sources] == []


def texts(path: Path) -> list[str]:
    """The text of a test file, or of all files in a folder."""
    return [each.read_text() for each in ([path] if path.is_file() else path.rglob("*.py"))]


def test_few_blocks_do_not_run() -> None:
    assert len(SKIPPED) <= MOST_SKIPPED, [block.place for block in SKIPPED]


def test_a_session_is_taken_apart() -> None:
    assert list(session("$ a \\\n  b\none\ntwo\n$ c\n")) == [("a \\\n  b", "one\ntwo"), ("c", "")]


def test_what_is_printed_is_compared() -> None:
    assert difference("one\n…\nthree", "one\ntwo\nthree\n", figures=False) is None
    assert difference("1.5 MiB/s in 3 s", "2 GiB/s in 10 ms", figures=True) is None
    assert difference("3.4 s left", "1 m 20 s left", figures=True) is None
    assert difference("1.5 MiB/s", "2 GiB/s", figures=False)
    assert difference("write 1.5", "read 1.5", figures=True)
