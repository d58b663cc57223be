"""The checks of `manage.py doctor`: each finding is one sentence, with a remedy if there is a problem."""
