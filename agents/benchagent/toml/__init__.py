"""Reads TOML text into checked values (sizes, durations, names) and reports every fault with its position.

Any package may import it.
"""
