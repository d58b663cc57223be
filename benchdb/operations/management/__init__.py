"""Commands of `operations` for `manage.py`."""
