"""Commands of `demo` for `manage.py`."""
