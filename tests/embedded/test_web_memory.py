"""The memory of the web server: when it collects cycles and returns memory. Run in another process, as by gunicorn."""

import subprocess
import sys

LEFT_BY_REQUESTS = """
import gc, weakref
from benchdb.embedded import web_memory

class Page:
    pass

def leave(number):
    pages = [Page() for _ in range(number)]
    for page in pages:
        page.itself = page
    return weakref.ref(pages[0])

gc.disable()
gc.collect()
few = leave(10)
web_memory.end()
print("few are kept" if few() else "few are gone")
many = leave(2 * web_memory.FEW_OBJECTS)
web_memory.end()
print("all are kept" if few() or many() else "all are gone")
"""


def test_what_a_page_leaves_behind_is_freed_once_it_is_sent() -> None:
    done = subprocess.run([sys.executable, "-c", LEFT_BY_REQUESTS], capture_output=True, text=True, timeout=60)

    assert (done.stdout.splitlines(), done.stderr) == (["few are kept", "all are gone"], "")


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
