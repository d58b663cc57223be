"""`manage.py doctor`: everything that a server needs, looked at, one sentence each with what to do about it."""
