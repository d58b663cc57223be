"""The two stages of `make load` after the visitors: the sustained rates, and the largest requests."""

import psycopg

from benchdb.embedded.config import database_url
from tests.system.server import Server

from . import largest, needed, throughput
from .client import Client
from .memory import Processes
from .needed import Needed
from .throughput import Level

ACCOUNTS = 16  # 600 documents a minute each
MAKE_TOKENS = """
from django.contrib.auth.models import User
from benchdb.ingest.models import Scope
from benchdb.ingest.tokens import create_token
for i in range({number}):
    owner = User.objects.create_user(f"client {{i}}")
    print(create_token(owner, "agent", [Scope.UPLOAD], default_visibility="public")[1])
"""
BY_FILE_SYSTEM = """
SELECT array_agg(run.id::text) FROM runs_run run JOIN catalog_target target ON target.id = run.target_id
WHERE run.id::text LIKE '00000000-%' GROUP BY target.file_system
"""  # ids of the copies in stock.py, which all have the results to compare


def rates(server: Server) -> list[Level]:
    """Measure what the site sustains."""
    secrets = server.manage("shell", "-v", "0", "-c", MAKE_TOKENS.format(number=ACCOUNTS)).split("\n")
    with psycopg.connect(database_url(server.var)) as database:
        runs = [ids for (ids,) in database.execute(BY_FILE_SYSTEM)]
    return throughput.measure(server.url, secrets, runs)


def largest_requests(server: Server, supervisor: int, secret: str) -> list[Needed]:
    """Measure what the largest requests need; the longest trend is that of the run that was stored last."""
    with psycopg.connect(database_url(server.var)) as database:
        row = database.execute("SELECT run_id FROM runs_runstate ORDER BY run_id DESC LIMIT 1").fetchone()
    assert row is not None
    return needed.measure(Processes(supervisor), largest.steps(Client(server.url, secret), f"run={row[0]}"))
