"""Connections to PostgreSQL, the cache and the broker that fail fast while a service is away.

For the settings and the Celery application; other code connects through Django and Celery.
"""
