"""Commands named in sentences exist and have the options given with them."""

import argparse
import re
from functools import cache
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from benchagent import cli
from tests.docs.pages import PAGES, ROOT, inline, name

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
TARGET = re.compile(r"^([a-z-]+):", re.MULTILINE)
MAKE = re.compile(r"^make ([a-z][a-z-]*)")
MANAGE = re.compile(r"(?:^|\s)manage\.py ([a-z_]+)")
AGENT = re.compile(r"^benchagent ([a-z]+)")


def commands(page: Path) -> list[str]:
    """All code spans in sentences and tables."""
    return [token.content for token in inline(page) if token.type == "code_inline"]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_command_in_a_sentence_exists(page: Path) -> None:
    assert [f"{command}: {fault}" for command in commands(page) if (fault := wrong(command))] == []


def wrong(command: str) -> str | None:
    """The fault of a command of ours; None if there is none, or if it is another program's command."""
    options = set(OPTION.findall(command))
    if match := MAKE.match(command):
        return None if match[1] in make_targets() else "no such target"
    if match := MANAGE.search(command):
        known = manage_options(match[1])
    elif match := AGENT.match(command):
        known = agent_options().get(match[1])
    else:
        return None
    if known is None:
        return "no such command"
    return f"no option {', '.join(options - known)}" if options - known else None


def test_the_test_sees_what_is_wrong() -> None:
    assert wrong("make nothing")
    assert wrong("manage.py nothing")
    assert wrong("manage.py up --nothing 1")
    assert wrong("benchagent fly")
    assert wrong("benchagent run --fly")
    assert not wrong("benchagent run --label KEY=VALUE")
    assert not wrong("python manage.py up --port 8000")


@cache
def make_targets() -> set[str]:
    return set(TARGET.findall((ROOT / "Makefile").read_text()))


@cache
def manage_options(command: str) -> set[str] | None:
    """The options of a `manage.py` command; None if there is no such command."""
    if command not in get_commands():
        return None
    parser = load_command_class(get_commands()[command], command).create_parser("manage.py", command)
    return {option for action in parser._actions for option in action.option_strings}


@cache
def agent_options() -> dict[str, set[str]]:
    """The options of each command of the agent, including subcommands."""
    return {each: _options(parser) for each, parser in _below(cli.parser()).items()}


def _options(parser: argparse.ArgumentParser) -> set[str]:
    own = {option for action in parser._actions for option in action.option_strings}
    return own.union(*(_options(each) for each in _below(parser).values()))


def _below(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    return {
        command: subparser
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for command, subparser in action.choices.items()
    }
