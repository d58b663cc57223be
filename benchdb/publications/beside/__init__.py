"""An article's table and own runs of the same tests: each own figure against its published one (`page.py`)."""
