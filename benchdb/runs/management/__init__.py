"""Commands of `runs` for `manage.py`."""
