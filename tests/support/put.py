"""`python -m tests.support.put SECRET < DOCUMENT`: starts a server for one upload and prints its answer.

For tests without running services, which DATABASE_URL and REDIS_URL name. Prints a JSON line with status, headers, body
and the seconds of the upload (without imports).
"""

import json
import os
import sys
import time

import django


def main(secret: str) -> None:
    django.setup()
    from django.test import Client

    body = sys.stdin.buffer.read()
    client = Client(SERVER_NAME="localhost", headers={"Authorization": f"Bearer {secret}"})
    client.get("/api/v1/schemas/run/1")  # imports everything
    started = time.monotonic()
    answer = client.put(f"/api/v1/runs/{json.loads(body)['run_id']}", body, "application/json")
    elapsed = time.monotonic() - started
    report = {"status": answer.status_code, "headers": dict(answer.headers), "body": answer.json(), "seconds": elapsed}
    print(json.dumps(report))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdb.settings")
    main(sys.argv[1])
