"""TOML text to checked values: sizes, durations, names, and every fault with its line."""
