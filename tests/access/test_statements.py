"""Statements of web requests time out; those of commands and workers do not."""

import subprocess
import sys

import pytest

ASK = """
import os, django
os.environ["DJANGO_SETTINGS_MODULE"] = "benchdb.settings"
{first}
django.setup()
from django.conf import settings
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("SHOW statement_timeout")
    print(cursor.fetchone()[0])
connection.close()
"""


@pytest.mark.parametrize(("first", "expected"), [("import benchdb.wsgi", "1min"), ("", "0")])
def test_only_web_requests_have_a_statement_timeout(db: None, first: str, expected: str) -> None:
    done = subprocess.run([sys.executable, "-c", ASK.format(first=first)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == expected
