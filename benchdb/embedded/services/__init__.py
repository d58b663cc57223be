"""One module for each service that the supervisor can run: PostgreSQL, the broker, the web server, Celery."""
