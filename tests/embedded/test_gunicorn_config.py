"""The configuration of gunicorn: when the web server collects cycles. Run in another process, as by gunicorn."""

import subprocess
import sys

LEFT_BY_REQUESTS = """
import gc, weakref
from benchdb.embedded import gunicorn_config

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
gunicorn_config.post_request(None, None, None, None)
print("few are kept" if few() else "few are gone")
many = leave(2 * gunicorn_config.FEW_OBJECTS)
gunicorn_config.post_request(None, None, None, None)
print("all are kept" if few() or many() else "all are gone")
gunicorn_config.on_exit(None)
"""


def test_what_a_page_leaves_behind_is_freed_once_it_is_sent() -> None:
    done = subprocess.run([sys.executable, "-c", LEFT_BY_REQUESTS], capture_output=True, text=True, timeout=60)

    assert (done.stdout.splitlines(), done.stderr) == (["few are kept", "all are gone"], "")
