"""PostgreSQL, a Redis-protocol server, the web server and Celery as children of one supervisor.

Used where `DATABASE_URL` and `REDIS_URL` are unset: a laptop, a demo, the test suite. docs/operations.md describes it
for the person who runs it.
"""
