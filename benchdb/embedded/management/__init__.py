"""Commands of `embedded` for `manage.py`."""
