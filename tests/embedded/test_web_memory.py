"""The memory of the web server: when it returns memory. Run in another process, as by gunicorn."""

import subprocess
import sys

RETURNED = """
from benchdb.embedded import web_memory

def small(number):
    return [bytes(1000) for _ in range(number)]

web_memory.return_memory()
before = web_memory.resident()
every = small(200_000)
kept = every[::200]
del every
freed = web_memory.resident() - before
web_memory.return_memory()
print("much was kept" if freed > 150e6 else freed)
left = web_memory.resident() - before
print("little is left" if left < freed / 3 else left)
"""


def test_memory_between_what_is_kept_is_returned() -> None:
    """Each of a thousand small objects at the end of a page of freed ones keeps glibc from returning the rest."""
    done = subprocess.run([sys.executable, "-c", RETURNED], capture_output=True, text=True, timeout=60)

    assert (done.stdout.splitlines(), done.stderr) == (["much was kept", "little is left"], "")
