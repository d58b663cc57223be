"""Commands of `ingest` for `manage.py`."""
