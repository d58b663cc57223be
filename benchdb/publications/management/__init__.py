"""Commands of `publications` for `manage.py`."""
