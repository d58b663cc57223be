"""One module per command of `benchagent`: `declare` adds its arguments, `run` executes it and returns the exit code.

Only `cli` imports these modules.
"""
