"""Commands of `web` for `manage.py`."""
