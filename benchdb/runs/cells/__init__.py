"""One measured quantity as pages show it: text, strip plot, warnings, verdicts on clock and cache.

Used by `runs` and `compare`.
"""
