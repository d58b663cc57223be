"""One module for each command of `benchagent`: `add_parser` declares it, `run` does it and returns the exit code.

Only `cli` imports them.
"""
