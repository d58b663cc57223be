"""PostgreSQL, a Redis-protocol server, the web server and Celery as children of one supervisor.

For installations without `DATABASE_URL` and `REDIS_URL`: a laptop, a demo, the test suite. See docs/operations.md.
"""
