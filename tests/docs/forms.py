"""The form of code blocks: each language is parsed by the program that reads it in practice."""

import configparser
import json
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any
from unittest.mock import patch

import yaml

from benchagent import config
from benchagent.plan.reading import load as load_plan
from benchdb import variables
from benchdb.compare.query.selection import Selection
from tests.docs.blocks import Block, has_command
from tests.support.html import parse as parse_html

TARGET = '[[targets]]\nkind = "directory"\n'  # for pages that show only the workloads of a plan
RUN = "01990000-0000-7000-8000-000000000000"


def check(block: Block) -> None:
    """Raise the error of the language's parser, if any."""
    FORMS[block.language](block)


def shell(block: Block) -> None:
    """A script that bash can parse."""
    done = subprocess.run(["bash", "-n"], input=block.text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def toml(block: Block) -> None:
    """A plan, the workloads of one, a config file of the agent, or any other TOML file."""
    kind = block.words.split(" ")[0]
    if kind == "plan":
        load_plan(block.text)
    elif kind == "workloads":
        load_plan(f'name = "x"\n{TARGET}{block.text}')
    elif kind == "config":
        config.parse(block.text, Path("/etc/benchagent/config.toml"))
    else:
        assert kind == "", f"toml {kind}: say plan, workloads, config or nothing"
        tomllib.loads(block.text)


def ini(block: Block) -> None:
    """Settings as `NAME=value`, or a systemd unit."""
    if block.words == "settings":
        values = dict(line.split("=", 1) for line in block.text.splitlines() if line and not line.startswith("#"))
        known = {variables.name_of(field) for field in variables.Variables.model_fields}
        assert values.keys() <= known, values.keys() - known
        with patch.dict(os.environ, values):
            variables.Variables()
    else:
        configparser.ConfigParser(strict=False, interpolation=None).read_string(block.text)


def nginx(block: Block) -> None:
    """Statements that end with a semicolon or open a block; nginx checks them too if it is installed."""
    lines = [line.split("#")[0].strip() for line in block.text.splitlines()]
    assert all(line.endswith((";", "{", "}")) for line in lines if line), block.text
    assert block.text.count("{") == block.text.count("}")
    if program := shutil.which("nginx"):
        whole = f"events {{}} http {{ server {{ listen 127.0.0.1:1; {block.text} }} }}"
        with NamedTemporaryFile("w", suffix=".conf") as file:  # nginx reads it twice
            file.write(whole)
            file.flush()
            assert subprocess.run([program, "-t", "-c", file.name], check=False).returncode == 0


def query(block: Block) -> None:
    """One selection on each line; lines that begin with & continue the previous one."""
    for line in re.sub(r"\n\s*&", "&", block.text.strip()).splitlines():
        said = line.removeprefix("/compare/?").replace("run=…", f"run={RUN}").replace("=ID", f"={RUN}")
        Selection.parse(said.replace("…&", ""))


def html(block: Block) -> None:
    assert parse_html(block.text).elements


def text(block: Block) -> None:
    """Text for display, without commands, which would have to run."""
    assert not has_command(block.text), f"a command in a block of {block.language}: {block.text}"


def python(block: Block) -> None:
    compile(block.text, block.place, "exec")


def _reads(reader: Callable[[str], Any]) -> Callable[[Block], None]:
    return lambda block: reader(block.text)


FORMS: dict[str, Callable[[Block], None]] = {
    "sh": shell,
    "console": lambda block: None,  # not a script; all sessions run
    "toml": toml,
    "ini": ini,
    "json": _reads(json.loads),
    "yaml": _reads(yaml.safe_load),
    "nginx": nginx,
    "query": query,
    "html": html,
    "python": python,
    "latex": text,
    "bibtex": text,
    "text": text,
}
RUN_HERE = ("sh", "console", "python")
