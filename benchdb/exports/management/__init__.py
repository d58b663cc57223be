"""Commands of `exports` for `manage.py`."""
