"""What each process imports before it does anything: all that serve or wait, and nothing that only others need."""

import json
import os
import subprocess
import sys

import pytest

from benchdb.beat import app as beat
from benchdb.celery import app
from benchdb.embedded.config import PROJECT

SETUP = "import django; django.setup()"
BEAT = "from benchdb.beat import app; app.loader.init_worker(); app.finalize()"
PAGES = f"{SETUP}; from django.urls import get_resolver; get_resolver().url_patterns"
SHOW = "; import json, sys; print(json.dumps(sorted(sys.modules)))"
# Each takes a tenth of a second or more, or imports most of the server.
HEAVY = {
    *("arro3", "authlib", "celery", "cryptography", "duckdb", "markdown_it", "ninja", "pandas", "redis"),
    *("prometheus_client", "reportlab", "requests", "resvg_py", "ruptures", "scipy.special", "scipy.stats", "segno"),
    *(
        "benchagent.tools",
        "benchdb.api.app",
        "benchdb.compare.kinds",
        "benchdb.exports.formats",
        "benchdb.ingest.contract",
    ),
    *("benchdb.urls", "benchdb.web.admin"),
}


def imported(code: str) -> set[str]:
    """The names of all modules in a new process that has run the code."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "benchdb.settings"}
    command = [sys.executable, "-c", code + SHOW]
    done = subprocess.run(command, env=environment, cwd=PROJECT, capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def test_a_command_imports_the_models_and_no_pages_or_statistics_of_scipy() -> None:
    modules = imported(SETUP)
    assert "benchdb.runs.models" in modules
    assert modules & HEAVY == set()


def test_beat_imports_neither_tasks_nor_models() -> None:
    modules = imported(BEAT)
    assert "celery.app" in modules
    assert modules & (HEAVY - {"celery", "cryptography", "redis"}) == set()  # Celery and its client of the broker
    assert not {name for name in modules if name.endswith((".models", ".tasks")) and name.startswith("benchdb")}


@pytest.mark.parametrize(
    "module", ["benchdb.web.admin.users", "benchdb.exports.formats", "benchdb.compare.content_json", "benchdb.api.app"]
)
def test_the_pages_are_there_before_the_first_request(module: str) -> None:
    assert module in imported(PAGES)


def test_beat_sends_what_workers_know_on_their_routes() -> None:
    app.loader.import_default_modules()
    sent = {entry["task"] for entry in beat.conf.beat_schedule.values()}
    assert sent
    assert sent - set(app.tasks) == set()
    assert beat.conf.task_routes == app.conf.task_routes
