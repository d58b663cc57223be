"""One module per command of `benchagent`: `add_parser` declares it, `run` executes it and returns the exit code.

Only `cli` imports these modules.
"""
