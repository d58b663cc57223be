"""The agent in one file, and the page on how to download and start it."""

import hashlib
import io
import os
import re
import shutil
import zipfile
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from benchdb.ingest.models import Scope, Token
from benchdb.web.agent.file import AGENTS, agent_file, archive
from tests.conftest import Upload
from tests.support.documents import document
from tests.support.html import read

SECRET = re.compile(r"bdb_[\w-]{40,}")


def commands(answer: HttpResponse) -> dict[str, str]:
    """The command lines of the page as text, by their ids."""
    html = re.sub("</?span>", "", answer.content.decode())
    found = re.findall(r'<code id="([\w-]+)">(.*?)</code>', html)
    return {id_: text.replace("&#x27;", "'").replace("&gt;", ">").replace("&amp;", "&") for id_, text in found}


def test_the_file_and_its_checksum(client: Client) -> None:
    answer = client.get("/agent/benchagent.pyz")
    digest = hashlib.sha256(answer.content).hexdigest()
    assert (answer.status_code, answer["Content-Length"]) == (200, str(len(answer.content)))
    assert (answer["X-Content-Type-Options"], answer["Content-Type"]) == ("nosniff", "application/octet-stream")
    assert answer["Content-Disposition"] == 'attachment; filename="benchagent.pyz"'
    assert answer.content.startswith(b"#!/usr/bin/env python3\n")
    assert client.get("/agent/benchagent.pyz.sha256").content.decode() == f"{digest}  benchagent.pyz\n"


@pytest.mark.parametrize("address", ["/agent/benchagent.pyz", "/agent/benchagent.pyz.sha256"])
def test_who_has_it_already_is_told_so(client: Client, address: str) -> None:
    tag = client.get(address)["ETag"]
    again = client.get(address, headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    assert client.get(address, headers={"If-None-Match": '"another"'}).status_code == 200
    assert client.post(address).status_code == 405


def test_the_same_source_gives_the_same_bytes(tmp_path: Path) -> None:
    copy = tmp_path / "agents"
    shutil.copytree(AGENTS, copy, ignore=shutil.ignore_patterns("__pycache__", "build"))
    for path in copy.rglob("*"):
        os.utime(path, (1, 1))
    (copy / "benchagent" / "__pycache__").mkdir()
    (copy / "benchagent" / "__pycache__" / "left.py").touch()
    expected = hashlib.sha256(agent_file().data).digest()  # pytest would compare the bytes for minutes
    assert hashlib.sha256(archive(copy)).digest() == expected
    (copy / "benchagent" / "cli.py").write_text("changed")
    assert hashlib.sha256(archive(copy)).digest() != expected


def test_all_of_the_agent_is_in_the_file() -> None:
    names = set(zipfile.ZipFile(io.BytesIO(agent_file().data)).namelist())
    modules = {path.relative_to(AGENTS).as_posix() for path in (AGENTS / "benchagent").rglob("*.py")}
    engine = AGENTS / "engine"
    sources = {f"benchagent/fsload/{path.relative_to(engine).as_posix()}" for path in engine.rglob("src/**/*.[ch]")}
    shipped = (path for path in (AGENTS / "plans").rglob("*") if path.is_file())
    plans = {f"benchagent/{path.relative_to(AGENTS).as_posix()}" for path in shipped}
    tomli = {f"tomli/{name}" for name in ("__init__.py", "_parser.py", "_re.py", "_types.py", "LICENSE")}
    assert names == {"__main__.py"} | modules | sources | plans | tomli


def test_readers_see_where_the_token_goes_and_how_to_get_one(client: Client, db: None) -> None:
    page = read(client.get("/agent/"))
    assert "Replace YOUR-TOKEN with an access token" in page.text
    assert page.links["Sign in"] == "/login/?next=/agent/"
    assert not SECRET.search(page.text)


def test_the_lines_name_this_server_and_the_right_checksum(client: Client, db: None) -> None:
    lines = commands(client.get("/agent/", headers={"Host": "localhost:8123"}))
    assert lines["fetch"] == "curl -fsSO http://localhost:8123/agent/benchagent.pyz"
    assert lines["run"].startswith("BENCHAGENT_TOKEN=YOUR-TOKEN python3 benchagent.pyz run directory ")
    assert lines["run"].endswith(" --server http://localhost:8123")
    assert lines["check"] == f"echo '{agent_file().sha256}  benchagent.pyz' | sha256sum --check"


def test_an_address_that_a_shell_would_expand_is_quoted(client: Client, db: None) -> None:
    lines = commands(client.get("/agent/", headers={"Host": "[::1]:8000"}))
    assert lines["fetch"] == "curl -fsSO 'http://[::1]:8000/agent/benchagent.pyz'"


def test_a_new_token_is_shown_once_and_may_upload_and_nothing_else(ada: Client, owner: User, upload: Upload) -> None:
    owner.tokens.all().delete()
    assert "Make a token" in read(ada.get("/agent/")).text
    answer = ada.post("/agent/", follow=True)
    assert answer.redirect_chain == [("/agent/", 302)]  # reloading the page sends no form
    [secret] = set(SECRET.findall(answer.content.decode()))
    assert f"BENCHAGENT_TOKEN={secret} " in commands(answer)["run"]
    assert "no-store" in answer["Cache-Control"]
    assert Token.objects.get(owner=owner).scopes == [Scope.UPLOAD]
    assert upload(document(), secret=secret).status_code == 201
    assert not SECRET.search(ada.get("/agent/").content.decode())


def test_making_a_token_wants_an_account_and_our_own_form(client: Client, owner: User) -> None:
    answer = client.post("/agent/")
    assert (answer.status_code, answer["Location"]) == (302, "/login/?next=/agent/")
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(owner)
    assert strict.post("/agent/").status_code == 403
    assert not Token.objects.filter(name__startswith="agent, ").exists()


def test_every_page_leads_here(client: Client, owner: User) -> None:
    assert read(client.get("/runs/")).links["Measure a machine"] == "/agent/"
